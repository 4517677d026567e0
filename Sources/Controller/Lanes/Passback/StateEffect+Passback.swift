import Gate
import Storage

extension StateEffect {
    /// What is written down of a change.
    package init(_ change: PassbackChange) {
        self = switch change {
        case .entered(let person, let zone, let since): .present(Presence(person: person, zone: zone, since: since))
        case .left(let person, let zone): .absent(person, zone: zone)
        case .emptied(let zone, let time): .emptied(zone: zone, before: time)
        case .doubted(let zone): .doubted(zone: zone)
        }
    }
}

extension JournalState {
    /// What it says of people and zones: first those who may have left unseen.
    var passback: [PassbackChange] {
        let doubtful = presences.filter { !$0.isSure }
        return doubtful.map(PassbackChange.init) + Set(doubtful.map(\.zone)).map { .doubted(zone: $0) }
            + presences.filter(\.isSure).map(PassbackChange.init)
    }
}

extension PassbackChange {
    fileprivate init(_ presence: Presence) {
        self = .entered(presence.person, zone: presence.zone, at: presence.since)
    }
}
