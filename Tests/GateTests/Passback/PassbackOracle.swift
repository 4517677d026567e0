import Credentials

@testable import Gate

/// What anti-passback must say, found the slow way: it keeps everything that ever happened and reads all of it for each answer.
struct PassbackOracle {
    enum Event {
        case granted(PersonDigest, Crossing, leaves: String?, ticket: UInt64)
        case ended(ticket: UInt64)
        case passed(PersonDigest, Crossing, at: Int64)
        case asked(PersonDigest, zone: String, at: Int64)
        case emptied(String, before: Int64)
        case doubted(String)
        case forgotten(PersonDigest, zone: String?)
        case restarted
    }

    struct Place: Equatable {
        /// As it counts now, and as it was written down.
        var since: Int64
        var written: Int64
        var isSure: Bool
    }

    var history: [Event] = []
    let policies: [String: ZonePolicy]

    func place(of person: PersonDigest, in zone: String) -> Place? {
        var place: Place?
        for event in history {
            switch event {
            case .passed(person, let crossing, let time):
                if crossing.from == zone, crossing.to != zone { place = nil }
                if crossing.to == zone {
                    place = Place(since: time, written: time, isSure: true)
                }
            case .asked(person, zone, let now):
                if let known = place, known.isSure { place?.since = min(known.since, now) }
            case .emptied(zone, let time):
                if let known = place, known.written < time { place = nil }
            case .doubted(zone):
                place?.isSure = false
            case .forgotten(person, let which):
                if which == nil || which == zone { place = nil }
            case .restarted:
                if let known = place { place?.since = known.written }
            case .granted, .ended, .passed, .asked, .emptied, .doubted, .forgotten:
                break
            }
        }
        return place
    }

    struct Grant {
        let person: PersonDigest
        let crossing: Crossing
        /// The zone out of which the person counts until it is known.
        let leaves: String?
        let ticket: UInt64
    }

    /// The zone that somebody leaves by that way who is in it beyond doubt.
    func leaves(_ person: PersonDigest, by crossing: Crossing) -> String? {
        guard let zone = crossing.from, zone != crossing.to, place(of: person, in: zone)?.isSure == true else { return nil }
        return zone
    }

    func isLeaving(_ person: PersonDigest, _ zone: String) -> Bool {
        pending.contains { $0.person == person && $0.leaves == zone }
    }

    /// Grants that have not ended.
    var pending: [Grant] {
        var pending: [Grant] = []
        for event in history {
            switch event {
            case .granted(let person, let crossing, let leaves, let ticket):
                pending.append(Grant(person: person, crossing: crossing, leaves: leaves, ticket: ticket))
            case .ended(let ticket): pending.removeAll { $0.ticket == ticket }
            case .restarted: pending = []
            case .passed, .asked, .emptied, .doubted, .forgotten: break
            }
        }
        return pending
    }

    func judge(_ person: PersonDigest, _ crossing: Crossing, isWayOut: Bool, isExempt: Bool, at now: Int64, among people: [PersonDigest]) -> AccessJudgement {
        guard !isWayOut, let zone = crossing.to, let policy = policies[zone], policy.isKept else { return .allowed }
        let isComing = pending.contains { $0.person == person && $0.crossing.to == zone }
        let place = isLeaving(person, zone) ? nil : place(of: person, in: zone).flatMap { $0.isSure ? $0 : nil }
        let counts = isComing || place != nil
        if counts, !isExempt {
            switch policy.mode {
            case .off: break
            case .soft: return .allowed(notes: [.antiPassback])
            case .hard: return .refused(.antiPassback, by: .passback)
            case .timed(let wait):
                if isComing || now - (place?.since ?? 0) < wait { return .refused(.antiPassback, by: .passback) }
            }
        }
        guard !counts, let capacity = policy.capacity else { return .allowed }
        let taken = people.filter { other in
            self.place(of: other, in: zone)?.isSure == true && !isLeaving(other, zone) || pending.contains { $0.person == other && $0.crossing.to == zone }
        }
        return taken.count < capacity ? .allowed : .refused(.zoneFull, by: .capacity)
    }
}
