import Vocabulary

/// The people whom a lane has let through and who have not passed yet, in the order in which they were let through, each
/// way; and until when somebody could follow those who have passed.
struct PassageWaits: Equatable, Sendable {
    /// The most people who are waited for in one direction.
    static let most = 8

    private var waiting = PerDirection<[PassageWait]>([])
    /// Grants that were passed on, while a second person could still follow on them.
    private var used = PerDirection<PassageWait?>(nil)

    /// All that are waited for.
    var pending: [PassageWait] { waiting.in + waiting.out }

    /// Who is waited for in that direction, whoever was let through first at the front.
    subscript(direction: Direction) -> [PassageWait] { waiting[direction] }

    /// The one who was let through last, whichever way.
    var latest: PassageWait? {
        pending.max { ($0.began, $0.direction == .out ? 1 : 0) < ($1.began, $1.direction == .out ? 1 : 0) }
    }

    /// The next moment at which one of them is waited for no longer.
    var ends: Instant? { pending.filter { !$0.joins }.map(\.until).min() }

    /// When one of those is waited for no longer who leave no room for another one; nil where there is room.
    func isFull(_ direction: Direction) -> Instant? {
        guard waiting[direction].count >= Self.most else { return nil }
        return waiting[direction].map(\.until).min()
    }

    /// From now on that person is waited for. Where there are too many answers one of those who go through a door that stands open: of them
    /// it is known anyhow.
    mutating func begin(_ wait: PassageWait) -> PassageWait? {
        used[wait.direction] = nil
        waiting[wait.direction].append(wait)
        guard waiting[wait.direction].count > Self.most, let first = waiting[wait.direction].firstIndex(where: \.joins) else { return nil }
        return waiting[wait.direction].remove(at: first)
    }

    /// Those who were let through while the door stood open, in that order; nobody waits for them any more.
    mutating func removeJoined() -> [PassageWait] {
        let joined = self.joined
        for direction in Direction.allCases { waiting[direction].removeAll(where: \.joins) }
        for wait in joined { used[wait.direction] = wait }
        return joined
    }

    /// Those who were let through while the door stood open.
    var joined: [PassageWait] { pending.filter(\.joins).sorted { $0.began < $1.began } }

    /// The one who was let through last in that direction is waited for no longer.
    mutating func removeLatest(_ direction: Direction) -> PassageWait? {
        waiting[direction].popLast()
    }

    /// Nobody is waited for in that direction any more; answers who was.
    mutating func removeAll(_ direction: Direction) -> [PassageWait] {
        defer { waiting[direction] = [] }
        return waiting[direction]
    }

    /// These people, the first ones of a direction, pass now.
    mutating func use(_ waits: [PassageWait]) {
        for wait in waits {
            waiting[wait.direction].removeFirst()
            used[wait.direction] = wait
        }
    }

    /// Whether somebody who passes in that direction follows on a grant that was passed on already.
    func isUsed(_ direction: Direction, at now: Instant) -> Bool {
        used[direction].map { now < $0.until } ?? false
    }

    /// The way that was let through last of those on which a second person can follow.
    func lastUsed(at now: Instant) -> Direction? {
        Direction.allCases.compactMap { used[$0] }.filter { now < $0.until }.max { $0.began < $1.began }?.direction
    }

    /// Those whose time is over at `now`.
    mutating func expire(at now: Instant) -> [PassageWait] {
        for direction in Direction.allCases where !isUsed(direction, at: now) { used[direction] = nil }
        let over = pending.filter { !$0.joins && $0.until <= now }
        if !over.isEmpty {
            for direction in Direction.allCases { waiting[direction].removeAll { !$0.joins && $0.until <= now } }
        }
        return over
    }
}

/// One value for each way people pass.
struct PerDirection<Value> {
    var `in`: Value
    var out: Value

    /// The same both ways.
    init(_ value: Value) {
        `in` = value
        out = value
    }

    subscript(direction: Direction) -> Value {
        get {
            switch direction {
            case .in: `in`
            case .out: out
            }
        }
        _modify {
            switch direction {
            case .in: yield &`in`
            case .out: yield &out
            }
        }
    }
}

extension PerDirection: Equatable where Value: Equatable {}
extension PerDirection: Sendable where Value: Sendable {}

/// Somebody was let through and has not passed yet.
struct PassageWait: Equatable, Sendable {
    /// What let them through.
    let cause: GrantCause
    /// Which way.
    let direction: Direction
    /// When the relay was told so; the cooldown counts from there.
    let began: Instant
    /// When nobody waits for them any more.
    let until: Instant
    /// They were let through while the door stood open, and need not open it once more: they have passed when it closes.
    var joins = false
}

/// Somebody is in the passage of a lane, as one sensor sees it.
struct Passage: Equatable, Sendable {
    /// Who was let through; nobody where nothing did. A door tells only that it was open: all who were let through that way.
    var people: [PassageWait]
    /// Which way they go; nil where one sensor serves both ways and nobody was let through.
    let direction: Direction?
    /// Since when that is counted for `held`.
    var began: Instant
    /// It has taken too long, and that was said.
    var isHeld = false
}

/// What the sensors of a lane's passage see: at most one passage each.
struct PassageSensors: Equatable, Sendable {
    /// The passages by the direction of their sensor. The only sensor of a door is that of `in`.
    var passages: [Direction: Passage] = [:]
    /// The sensors that cannot be read.
    var unseen: Set<Direction> = []

    /// The passages in a stable order.
    var all: [Passage] { Direction.allCases.compactMap { passages[$0] } }
}
