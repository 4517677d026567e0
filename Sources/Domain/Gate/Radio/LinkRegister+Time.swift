extension LinkRegister {
    /// The next instant at which `advance` has something to do.
    public var nextChange: Instant? {
        links.values.compactMap(\.stage.nextChange).min()
    }

    /// Time has come to `now`.
    public mutating func advance(to now: Instant) -> [LinkAction] {
        acting(at: now) { _, _ in [] }
    }

    /// What is due at `now`, link by link.
    mutating func expire(at now: Instant) -> [LinkAction] {
        guard let next = nextChange, next <= now else { return [] }
        return links.keys.sorted().flatMap { expire($0, at: now) }
    }

    private mutating func expire(_ id: LinkIdentifier, at now: Instant) -> [LinkAction] {
        switch links[id]?.stage {
        case .approaching(var approach, let until):
            approach.advance(to: now)
            let actions = judge(id, approach, .approaching(approach, until: until), at: now)
            guard actions.isEmpty, until <= now else { return actions }
            return [.stopMeasuring(id), drop(id, .silent, at: now)]
        case .asking(var approach):
            approach.advance(to: now)
            return judge(id, approach, .asking(approach), at: now)
        case .welcome(_, let until): return until <= now ? [drop(id, .silent, at: now)] : []
        case .conversing(let step, let end):
            if end <= now { return [drop(id, .late, at: now)] }
            return step <= now ? [drop(id, .silent, at: now)] : []
        case .notified(let until): return until <= now ? [drop(id, .stayed, at: now)] : []
        case .leaving(let refusal, let again): return again <= now ? [dropAgain(id, refusal, at: now)] : []
        case nil: return []
        }
    }
}

/// What a radio's links want done. The caller does it in this order, after letting go of the register.
public enum LinkAction: Hashable, Sendable {
    /// Measure the strength of the link from now on, at the pace of `RadioRules.samplingInterval`.
    case measure(LinkIdentifier)
    /// Do not measure it any more.
    case stopMeasuring(LinkIdentifier)
    /// The message that waits is the first of a conversation: answer it. The phone is near these lanes, in the order of the
    /// configuration.
    case admit(LinkIdentifier, lanes: [String])
    /// The message that waits belongs to the conversation of that link: answer it.
    case proceed(LinkIdentifier)
    /// Every message of that link that waits is refused, that of this input among them.
    case refuse(LinkIdentifier, LinkRefusal)
    /// Disconnect the link.
    case drop(LinkIdentifier, LinkRefusal)
    /// It was told to go, and is there still: disconnect it once more. Nothing else follows, and it is no further hang-up.
    case dropAgain(LinkIdentifier)

    var isRefusal: Bool {
        switch self {
        case .refuse: true
        case .measure, .stopMeasuring, .admit, .proceed, .drop, .dropAgain: false
        }
    }
}

/// One connection of one phone to one radio; never used again for another.
public struct LinkIdentifier: Hashable, Comparable, Sendable {
    /// The number.
    public let value: UInt64

    /// The connection of that number.
    public init(_ value: UInt64) {
        self.value = value
    }

    public static func < (left: LinkIdentifier, right: LinkIdentifier) -> Bool {
        left.value < right.value
    }
}
