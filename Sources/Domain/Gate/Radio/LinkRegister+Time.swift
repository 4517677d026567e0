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
        case .talking(let step, let end):
            if end <= now { return [drop(id, .late, at: now)] }
            return step <= now ? [drop(id, .silent, at: now)] : []
        case .told(let until): return until <= now ? [drop(id, .stayed, at: now)] : []
        case .leaving(let refusal, let again): return again <= now ? [dropAgain(id, refusal, at: now)] : []
        case nil: return []
        }
    }
}
