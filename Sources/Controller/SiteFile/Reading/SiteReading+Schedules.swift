import Configuration
import Glibc
import SiteRules
import Spelling

/// Time: zone, holidays, schedules.
extension SiteReading {
    mutating func zoneRecords() -> [SiteRecord] {
        guard let text = root.text("time-zone") else { return [] }
        let position = root.position(of: "time-zone")
        let folder = TimeZoneFolder(path: context.timeZones)
        guard folder.isThere else {
            issues.warning("time-zones-missing", at: position,
                           "This machine has no data of time zones in \(folder.path) to check it with: sudo apt install tzdata")
            return TimeZoneName(text).map { [.timeZone($0)] } ?? []
        }
        guard let name = TimeZoneName(text), folder.has(name) else {
            issues.error("unknown-time-zone", at: position, "There is no time zone \"\(text)\" in \(folder.path).",
                         suggestion: folder.nearest(to: text))
            return []
        }
        return [.timeZone(name)]
    }

    mutating func checkTimeZoneIsThere() {
        guard !root.present.contains("time-zone") else { return }
        let users = tables("schedule") + tables("zone").filter { $0.present.contains("reset") }
        guard let first = users.first else { return }
        issues.error("time-zone-needed", at: first.position, "\(first.path) goes by the site's clock: time-zone at the beginning of the file says which.")
    }

    mutating func holidays() -> [SiteRecord] {
        tables("holiday").compactMap { table -> SiteRecord? in
            let dates = words("dates", in: table, DateWords.holiday).map(\.value)
            return table.text("name").map { .holidays(HolidayCalendar(kind: $0, dates: dates)) }
        }
    }

    mutating func schedules() -> [SiteRecord] {
        tables("schedule").compactMap { table -> SiteRecord? in
            let before = issues.issues.count
            let week = week(of: table), holidays = holidayWindows(of: table)
            let open = words("open", in: table) { text throws(WordFault) in try OnceWords.read(text, opens: true) }
            let closed = words("closed", in: table) { text throws(WordFault) in try OnceWords.read(text, opens: false) }
            guard let name = table.text("name") else { return nil }
            if issues.issues.count > before || !isRead(table) { unreadSchedules.insert(name) }
            note(name, table, holidays.map(\.position), (open + closed).map(\.position))
            return .schedule(Schedule(name: name, week: week, holidays: holidays.map(\.value), oneOffs: (open + closed).map(\.value)))
        }
    }

    /// Whether the values of all keys that stand there could be read.
    private func isRead(_ table: TableReading) -> Bool { table.present.allSatisfy { table.values[$0] != nil } }

    private mutating func note(_ name: String, _ table: TableReading, _ holidays: [TextPosition], _ oneOffs: [TextPosition]) {
        origins[.schedule(name)] = table.position(of: "name")
        for (position, place) in holidays.enumerated() { origins[.holidayWindows(schedule: name, position: position)] = place }
        for (position, place) in oneOffs.enumerated() { origins[.oneOff(schedule: name, position: position)] = place }
    }

    private mutating func week(of table: TableReading) -> [Weekday: [DayWindow]] {
        var week: [Weekday: [DayWindow]] = [:]
        for entry in words("week", in: table, WeekWords.read) {
            for day in entry.value.days { week[day, default: []] += entry.value.windows }
        }
        return week
    }

    private mutating func holidayWindows(of table: TableReading) -> [Placed<HolidayWindows>] {
        for (text, position) in table.places("holidays") {
            check(text.firstWord.word, isNamedIn: "holiday", at: position, for: "\(table.path).holidays")
        }
        let windows = words("holidays", in: table) { text throws(WordFault) in
            let (kind, rest) = text.firstWord
            return HolidayWindows(kind: kind, windows: rest.isEmpty ? [] : try ClockWords.windows(rest))
        }
        for (number, entry) in windows.enumerated() where windows[..<number].contains(where: { $0.value.kind == entry.value.kind }) {
            issues.error("repeated-value", at: entry.position,
                         "\(table.path).holidays names \"\(entry.value.kind)\" twice; its times stand together, with commas.")
        }
        return windows
    }
}

/// The system's data of time zones.
struct TimeZoneFolder {
    let path: String

    /// The longest file of a zone, by far.
    private static let longest = 1 << 20

    var isThere: Bool { access(path, R_OK | X_OK) == 0 }

    /// Whether there is a zone of that name whose data can be read.
    func has(_ name: TimeZoneName) -> Bool {
        guard let bytes = try? FileText.read("\(path)/\(name.text)", limit: Self.longest) else { return false }
        return (try? TimeZoneData(tzif: bytes)) != nil
    }

    /// The name that somebody probably meant.
    func nearest(to text: String) -> String? {
        NearestName.find(text, among: names) ?? names.first { $0.hasSuffix("/\(text)") }
    }

    /// The names in the text that tzdata was made of: `Z NAME …` begins a zone, `L ZONE NAME` is another name of one.
    private var names: [String] {
        guard let bytes = try? FileText.read("\(path)/tzdata.zi", limit: Self.longest) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            switch words.first {
            case "Z": return words.count > 1 ? String(words[1]) : nil
            case "L": return words.count > 2 ? String(words[2]) : nil
            default: return nil
            }
        }
    }
}
