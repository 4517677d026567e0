/// One input: its contact, or the two halves of a change-over contact, and what they have come to.
public struct InputSense: Hashable, Sendable {
    /// Which of the lines of an input is meant.
    public enum Contact: Hashable, Sendable {
        /// The only one, or the half that is named first.
        case main
        /// The other half of a fire loop.
        case counterpart
    }

    /// So many milliseconds a line may be away before that counts: a bus that resets itself is no event at the lane.
    public static let patience: Int64 = 3000

    public let kind: InputKind
    private let quiet: Int64
    private var contacts: FireLoop
    private var debouncer = Debouncer<InputState>()
    private var pace = InputPace()
    /// What it has come to and may not be told yet, for it changes too often.
    private var withheld: Debouncer<InputState>.Settled?
    /// It has changed too often, and has not been calm for long enough since.
    public private(set) var isChattering = false
    private var unrest: Unrest

    /// - Parameters:
    ///   - quiet: how long the contact must be the same to count, in milliseconds.
    ///   - isSupervised: there are two halves.
    public init(_ kind: InputKind, quiet: Int64, isSupervised: Bool = false) {
        self.kind = kind
        self.quiet = quiet
        contacts = FireLoop(isSupervised: isSupervised)
        unrest = Unrest(calm: max(quiet, Self.calmOfFire))
    }

    /// A fire contact that has not been calm for so many milliseconds between two edges does not say that all is well.
    private static let calmOfFire: Int64 = 1000

    /// What was told last; nil before the first time.
    public private(set) var state: InputState?

    /// When `advance` has something to tell, if nothing moves.
    public var nextChange: Instant? {
        let next = [debouncer.nextChange, nextOfUnrest].compactMap(\.self).min()
        guard withheld != nil else { return next }
        let due = isIgnored ? pace.calm : pace.next
        return min(next ?? due, due)
    }

    /// When a fire contact that does not settle is told, or has settled.
    private var nextOfUnrest: Instant? {
        guard kind == .fire else { return nil }
        switch state {
        case .faulty(.chatters): return unrest.end
        case .active: return nil
        case .inactive, .faulty, nil: return unrest.lasting(Self.patience)
        }
    }

    /// Whether nothing is made of it: a button that chatters for ever would let somebody out with each change that is told.
    private var isIgnored: Bool { isChattering && kind == .requestToExit }

    /// From `time` on a contact is in its normal place or not; nil: its line cannot be read.
    /// - Returns: what the input had come to before, and when, if that was not told yet.
    public mutating func receive(_ isActive: Bool?, from contact: Contact = .main, at time: Instant,
                                 since beginning: Debouncer<InputState>.Beginning = .edge) -> (change: InputChange, at: Instant)? {
        switch contact {
        case .main: contacts.main = isActive
        case .counterpart: contacts.counterpart = isActive
        }
        let state = contacts.state
        let patience = state == .faulty(.unseen) ? Self.patience : quiet
        unrest.receive(at: time)
        return report(debouncer.receive(state, at: time, quiet: patience, since: beginning), at: time)
    }

    /// Everything that happened up to `now` was received: answers what the input has come to and when, once.
    public mutating func advance(to now: Instant) -> (change: InputChange, at: Instant)? {
        if isChattering, withheld == nil, !pace.isShort(at: now) { isChattering = false }
        return report(debouncer.advance(to: now), at: now) ?? reportUnrest(at: now)
    }

    /// Who looks only at a contact that has settled never sees the fire behind a loose wire. A fire that was told stays one.
    private mutating func reportUnrest(at now: Instant) -> (change: InputChange, at: Instant)? {
        guard let due = nextOfUnrest, due <= now else { return nil }
        guard state == .faulty(.chatters) else {
            state = .faulty(.chatters)
            return (InputChange(kind, .faulty(.chatters)), due)
        }
        guard debouncer.nextChange == nil, let settled = debouncer.settled else { return nil }
        state = settled
        unrest = Unrest(calm: unrest.calm)
        return (InputChange(kind, settled, isFound: true), due)
    }

    /// Tells it, unless too much was told already: then the last of what it comes to is told when its time has come.
    private mutating func report(_ settled: Debouncer<InputState>.Settled?, at now: Instant) -> (change: InputChange, at: Instant)? {
        if let settled { withheld = settled }
        if isIgnored { return calmed(settled, at: now) }
        if kind == .fire, state == .faulty(.chatters), !unrest.isOver(at: now), withheld?.value != .active { withheld = nil }
        guard let latest = withheld else { return nil }
        guard latest.value != state else {
            withheld = nil
            return nil
        }
        let time = max(latest.at, pace.next)
        guard time <= max(now, latest.at) else {
            isChattering = true
            guard isIgnored else { return nil }
            pace.exhaust(at: now)
            state = .faulty(.chatters)
            return (InputChange(kind, .faulty(.chatters)), latest.at)
        }
        withheld = nil
        state = latest.value
        pace.count(at: time)
        return (InputChange(kind, latest.value, isFound: latest.isFound), time)
    }

    /// Each change begins the calm anew. What it has come to when it is calm nobody has pressed.
    private mutating func calmed(_ settled: Debouncer<InputState>.Settled?, at now: Instant) -> (change: InputChange, at: Instant)? {
        if settled != nil { pace.exhaust(at: now) }
        guard let latest = withheld, now >= pace.calm else { return nil }
        (withheld, isChattering, state) = (nil, false, latest.value)
        return (InputChange(kind, latest.value, isFound: true), now)
    }
}

/// A run of edges between which a contact has never been calm. Pure; it works on the times of the edges, as `Debouncer` does.
struct Unrest: Hashable, Sendable {
    /// So many milliseconds without an edge are calm.
    let calm: Int64
    private var first: Instant?
    private var last: Instant?

    init(calm: Int64) { self.calm = calm }

    /// There was an edge. A time before the last one counts as the last one.
    mutating func receive(at time: Instant) {
        let time = max(time, last ?? time)
        if isOver(at: time) { first = time }
        last = time
    }

    /// When the contact will have been calm, if nothing moves; nil before the first edge.
    var end: Instant? { last.map { $0 + calm } }

    /// Whether the contact has been calm since its last edge.
    func isOver(at now: Instant) -> Bool { end.map { $0 <= now } ?? true }

    /// The last edge, where the run has lasted for so many milliseconds.
    func lasting(_ milliseconds: Int64) -> Instant? {
        guard let first, let last, last >= first + milliseconds else { return nil }
        return last
    }
}
