import Encoding

extension SiteRules {
    /// Everything in these rules that cannot be meant, in the order of the rules.
    ///
    /// Found by the clock alone, without the zone: what overlaps on the clock contradicts itself even if the only such night
    /// is the one in which that hour is left out. Each day of 28 years is looked at, after which weekdays, dates and leap
    /// days come together as before, and each that is named by its date.
    public var diagnoses: [SiteDiagnosis] {
        missingTimeZone + unknownNames + schedules.flatMap(contradictions) + neverOpening + plans.flatMap(contradictions)
    }

    private var missingTimeZone: [SiteDiagnosis] {
        guard timeZone == nil, !schedules.isEmpty else { return [] }
        return [SiteDiagnosis(code: .timeZoneMissing, message: "schedules go by the clock of a time zone and none is named: name one, such as Europe/Berlin.",
                              entries: schedules.prefix(1).map { .schedule($0.name) })]
    }

    private var unknownNames: [SiteDiagnosis] {
        let names = Set(schedules.map(\.name))
        let kinds = Set(holidays.map(\.kind))
        let ofSchedules = schedules.flatMap { schedule in
            schedule.holidays.enumerated().filter { !kinds.contains($0.element.kind) }.map { position, windows in
                SiteDiagnosis(code: .holidayUnknown, message: "there are no holidays of the kind '\(windows.kind)': list their days or drop the windows.",
                              entries: [.holidayWindows(schedule: schedule.name, position: position)])
            }
        }
        let ofPlans = plans.flatMap { plan in
            plan.entries.enumerated().compactMap { position, entry in
                Self.unknown(entry.schedule, names, .planEntry(lane: plan.lane, position: position))
            }
        }
        let ofRules = rules.enumerated().compactMap { Self.unknown($0.element.schedule, names, .rule(position: $0.offset)) }
        return ofSchedules + ofPlans + ofRules
    }

    private static func unknown(_ name: String?, _ names: Set<String>, _ entry: SiteEntry) -> SiteDiagnosis? {
        guard let name, !names.contains(name) else { return nil }
        return SiteDiagnosis(code: .scheduleUnknown, message: "there is no schedule '\(name)': write it or name another.", entries: [entry])
    }

    private func contradictions(in schedule: Schedule) -> [SiteDiagnosis] {
        var found: [SiteDiagnosis] = []
        for (position, windows) in schedule.holidays.enumerated() {
            guard let earlier = schedule.holidays[..<position].firstIndex(where: { $0.kind == windows.kind }) else { continue }
            found.append(SiteDiagnosis(
                code: .scheduleContradicts,
                message: "the schedule '\(schedule.name)' has windows for holidays of the kind '\(windows.kind)' twice: keep one of them.",
                entries: [earlier, position].map { .holidayWindows(schedule: schedule.name, position: $0) }))
        }
        for (position, oneOff) in schedule.oneOffs.enumerated() {
            let earlier = schedule.oneOffs[..<position].firstIndex { other in
                other.opens != oneOff.opens && other.priority == oneOff.priority && other.from < oneOff.to && oneOff.from < other.to
            }
            guard let earlier else { continue }
            found.append(SiteDiagnosis(
                code: .scheduleContradicts,
                message: "two one-offs of the schedule '\(schedule.name)' overlap, one opens and one closes: give one of them a higher priority.",
                entries: [earlier, position].map { .oneOff(schedule: schedule.name, position: $0) }))
        }
        return found
    }

    private var neverOpening: [SiteDiagnosis] {
        schedules.compactMap { schedule in
            let local = LocalSchedule(schedule, calendars: holidays)
            let opens = PlainDays.of([local]).contains { days in
                days.contains { day in
                    local.isInForce(at: day * DayWindow.minutesOfDay) || local.boundaries(onDay: day).contains(where: local.isInForce)
                }
            }
            if opens { return nil }
            return SiteDiagnosis(code: .scheduleNeverOpens, message: "the schedule '\(schedule.name)' is never in force: give it a window that nothing closes.",
                                 entries: [.schedule(schedule.name)])
        }
    }

    private func contradictions(in plan: LanePlan) -> [SiteDiagnosis] {
        var clashes = PlanClashes(plan, rules: self)
        return clashes.find().map { clash in
            let names = [clash.first, clash.second].map { plan.entries[$0].schedule.map { "'\($0)'" } ?? "no schedule" }
            let time = clash.day.map { " on \($0)" } ?? ""
            return SiteDiagnosis(
                code: .planContradicts,
                message: "the plan of the lane '\(plan.lane)' has two modes at once\(time), by \(names[0]) and by \(names[1]): give one of them a higher priority.",
                entries: [clash.first, clash.second].map { .planEntry(lane: plan.lane, position: $0) })
        }
    }
}

/// A part of a site's rules that something is wrong with, for whoever knows where it was written.
public enum SiteEntry: Hashable, Sendable {
    /// The time zone.
    case timeZone
    /// A schedule as a whole.
    case schedule(String)
    /// One of a schedule's lists of windows for a kind of holiday, counted from 0.
    case holidayWindows(schedule: String, position: Int)
    /// One of a schedule's one-offs, counted from 0.
    case oneOff(schedule: String, position: Int)
    /// One entry of a lane's plan, counted from 0.
    case planEntry(lane: String, position: Int)
    /// One of the access rules, counted from 0.
    case rule(position: Int)
}
