/// All links of one radio, from their first sight to their end, as one pure state machine (T5, T6).
///
/// - Before anything is said the gate measures how strong it hears the phone. Who is not near within the window, which begins at
///   the first sight of the link, is refused and disconnected; a message that comes before that is known waits, at the
///   longest to the window's end.
/// - A phone that was listened to once is not measured any more: its conversation has begun.
/// - Links beyond the limit are disconnected at once. A link that is told to go takes nobody's place.
/// - Every link ends: by its phone, by its result, or by a deadline. One that is told to go and stays is told again.
///
/// Every message that is written is answered once: by `admit`, `proceed` or `refuse`.
public struct LinkRegister: Equatable, Sendable {
    /// The most links that are kept in mind while they are being disconnected.
    static let mostLeaving = 32
    /// After how many milliseconds a link that does not go is told again.
    static let patience: Int64 = 3000

    /// By what links are judged that come from now on.
    public private(set) var rules: RadioRules
    var links: [LinkIdentifier: Link] = [:]
    /// The latest time that was seen: an input that is told late does not turn the clock back.
    private var clock = Instant(milliseconds: .min)

    /// One link.
    struct Link: Equatable, Sendable {
        var stage: LinkStage
        /// How long its conversation may take, and its silences.
        let rules: RadioRules
        /// How strong it was heard last.
        var strength: SignalStrength?
    }

    /// A radio without links.
    public init(rules: RadioRules) {
        self.rules = rules
    }

    /// Links that come from now on are judged by other rules; those that are there keep theirs.
    public mutating func adopt(_ rules: RadioRules) {
        self.rules = rules
    }

    // Inputs ---------------------------------------------------------------------------------------

    /// A phone has connected.
    public mutating func opened(_ id: LinkIdentifier, at time: Instant) -> [LinkAction] {
        acting(at: time) { register, now in
            guard register.links[id] == nil else { return [] }
            guard register.servedCount < register.rules.limit else {
                register.links[id] = Link(stage: .leaving(.tooMany, again: now + Self.patience), rules: register.rules)
                return [.drop(id, .tooMany)]
            }
            let (stage, actions) = register.begin(id, at: now)
            register.links[id] = Link(stage: stage, rules: register.rules)
            return actions
        }
    }

    private func begin(_ id: LinkIdentifier, at now: Instant) -> (LinkStage, [LinkAction]) {
        let until = now + rules.idle
        switch rules.mode {
        case .onTouch(let proximity): return (.approaching(Approach(proximity, at: now), until: until), [.measure(id)])
        case .classic(let lanes): return (.welcome(lanes, until: until), [])
        }
    }

    /// The link was measured.
    public mutating func strength(_ id: LinkIdentifier, _ sample: SignalStrength, at time: Instant) -> [LinkAction] {
        acting(at: time) { register, now in
            switch register.links[id]?.stage {
            case .approaching(var approach, let until):
                approach.add(sample, at: now)
                return register.judge(id, approach, .approaching(approach, until: until), at: now)
            case .asking(var approach):
                approach.add(sample, at: now)
                return register.judge(id, approach, .asking(approach), at: now)
            case .welcome, .conversing, .notified, .leaving, nil: return []
            }
        }
    }

    /// The phone has written a message, which waits for its answer.
    public mutating func wrote(_ id: LinkIdentifier, at time: Instant) -> [LinkAction] {
        acting(at: time) { register, now in
            switch register.links[id]?.stage {
            case .approaching(let approach, _): return register.judge(id, approach, .asking(approach), at: now)
            case .welcome(let lanes, _): return register.admit(id, lanes, at: now)
            case .conversing(_, let end):
                let step = now + register.rules(of: id).idle
                register.links[id]?.stage = .conversing(step: step, end: end)
                return [.proceed(id)]
            case .asking: return [.stopMeasuring(id), .refuse(id, .outOfTurn), register.drop(id, .outOfTurn, at: now)]
            case .notified: return [.refuse(id, .outOfTurn), register.drop(id, .outOfTurn, at: now)]
            case .leaving(let refusal, _): return [.refuse(id, refusal)]
            case nil: return [.refuse(id, .unknown), .drop(id, .unknown)]
            }
        }
    }

    /// The phone reads: it is there, and may take its time with what it is told.
    public mutating func read(_ id: LinkIdentifier, at time: Instant) -> [LinkAction] {
        acting(at: time) { register, _ in
            switch register.links[id]?.stage {
            case .conversing(_, let end): register.links[id]?.stage = .conversing(step: end, end: end)
            case .approaching, .asking, .welcome, .notified, .leaving, nil: break
            }
            return []
        }
    }

    /// The conversation of the link is over: what it came to can be read.
    public mutating func concluded(_ id: LinkIdentifier, at time: Instant) -> [LinkAction] {
        // Before the clock moves on: what is over has no deadline to miss.
        let until = max(time, clock) + rules(of: id).stay
        switch links[id]?.stage {
        case .conversing: links[id]?.stage = .notified(until: until)
        case .approaching, .asking, .welcome, .notified, .leaving, nil: break
        }
        return advance(to: time)
    }

    /// The gate has nothing to say to a phone that was admitted: its message is refused, and it is told to go.
    public mutating func declined(_ id: LinkIdentifier, _ refusal: LinkRefusal, at time: Instant) -> [LinkAction] {
        acting(at: time) { register, now in
            switch register.links[id]?.stage {
            case .conversing: return [.refuse(id, refusal), register.drop(id, refusal, at: now)]
            case .leaving(let earlier, _): return [.refuse(id, earlier)]
            case .approaching, .asking, .welcome, .notified, nil: return []
            }
        }
    }

    /// The link is gone, and with it what was measured of it.
    public mutating func closed(_ id: LinkIdentifier, at time: Instant) -> [LinkAction] {
        // Before the clock moves on: what is gone has no deadline to miss.
        let answer: [LinkAction] = switch links.removeValue(forKey: id)?.stage {
        case .asking: [.refuse(id, .gone)]
        case .approaching, .welcome, .conversing, .notified, .leaving, nil: []
        }
        return answer + advance(to: time)
    }

    /// The radios' thread has served nobody for so many milliseconds, until now: what a phone must do in time waits as long.
    public mutating func excuse(_ milliseconds: Int64) {
        for id in links.keys { links[id]?.stage.postpone(by: milliseconds) }
    }

    // Acting ---------------------------------------------------------------------------------------

    /// Time comes first: what was due before an input is done before it.
    mutating func acting(at time: Instant, _ body: (inout LinkRegister, Instant) -> [LinkAction]) -> [LinkAction] {
        clock = max(time, clock)
        let due = expire(at: clock)
        let actions = body(&self, clock)
        forgetSome()
        // What was refused as due is not refused once more.
        return due + actions.filter { !$0.isRefusal || !due.contains($0) }
    }

    /// What follows for a link that stands in `stage` from what is known of its distance.
    mutating func judge(_ id: LinkIdentifier, _ approach: Approach, _ stage: LinkStage, at now: Instant) -> [LinkAction] {
        links[id]?.strength = approach.strength
        switch (approach.verdict, stage) {
        case (.far, .asking): return [.stopMeasuring(id), .refuse(id, .tooFar), drop(id, .tooFar, at: now)]
        case (.far, _): return [.stopMeasuring(id), drop(id, .tooFar, at: now)]
        case (.near(let lanes), .asking): return admit(id, lanes, at: now) + [.stopMeasuring(id)]
        case (.near, _), (.open, _):
            links[id]?.stage = stage
            return []
        }
    }

    private mutating func admit(_ id: LinkIdentifier, _ lanes: [String], at now: Instant) -> [LinkAction] {
        let rules = rules(of: id)
        links[id]?.stage = .conversing(step: now + rules.idle, end: now + rules.conversation)
        return [.admit(id, lanes: lanes)]
    }

    mutating func drop(_ id: LinkIdentifier, _ refusal: LinkRefusal, at now: Instant) -> LinkAction {
        links[id]?.stage = .leaving(refusal, again: now + Self.patience)
        return .drop(id, refusal)
    }

    mutating func dropAgain(_ id: LinkIdentifier, _ refusal: LinkRefusal, at now: Instant) -> LinkAction {
        _ = drop(id, refusal, at: now)
        return .dropAgain(id)
    }

    private func rules(of id: LinkIdentifier) -> RadioRules { links[id]?.rules ?? rules }

    private var servedCount: Int { links.values.count { $0.stage.isServed } }

    /// Of too many links that are on their way out the oldest are forgotten: should one speak still, it is told again.
    private mutating func forgetSome() {
        guard links.count > Self.mostLeaving else { return }
        let leaving = links.filter { !$0.value.stage.isServed }.keys.sorted()
        for id in leaving.dropLast(Self.mostLeaving) { links[id] = nil }
    }
}
