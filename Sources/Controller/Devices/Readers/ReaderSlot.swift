/// One binding and everything known about it now.
struct ReaderSlot {
    let binding: ReaderBinding
    var assignment = ReaderAssignment.absent(reason: "pcscd was not asked yet.")
    var presence = PresenceRule()
    var activity = ReaderActivity.idle
    /// One call has been with the driver for too long; said once.
    var isStuck = false
    /// What lies in its field, as the watcher saw it come; nil where nobody knows.
    var card: CardKind?
    /// The link of the presentation that runs.
    var link: PCSCLink?
    /// Which connection to pcscd (see `ReadersState.service`) the reader's thread has a context of.
    var contextGeneration: UInt64?
    /// The thread tries no new context before that time.
    var contextNotBefore: Int64 = 0
    /// Why the thread gets no context.
    var contextRefusal: ReaderRefusal?
    /// Why it could not connect the last time.
    var connectionRefusal: ReaderRefusal?
    /// An empty reader that was refused is asked again at that time: nobody presents a phone to a lane
    /// that is out of service.
    var probeNotBefore: Int64 = 0

    /// What is done to bring it back while it does not answer.
    var ladder: RecoveryLadder
    /// Whether its USB port may be switched off and on.
    let hasPort: Bool
    /// Its port is not switched from outside before that time.
    var portNotBefore: Int64 = 0
    /// It is asked for a sign of life at that time.
    var checkNotBefore: Int64 = 0
    /// It owes a sign of life for too long.
    var isSilent = false

    /// When a reader that was empty at the first look is looked into again, for pcscd may have been wrong.
    var inquiries: [Int64] = []
    /// In how many of them there was somebody.
    var finds = 0

    /// After the first look. pcscd looks for itself every 400 ms: who is there both times, and was not counted in
    /// between, never will be. `ReaderObservation` says how pcscd comes to be wrong; a gate that is killed in the
    /// middle of a conversation leaves it so.
    static let inquiryDelays: [Int64] = [450, 1_500]
    /// Between two looks whether it is the reader that does not answer, or pcscd.
    private static let evidencePause: Int64 = 50
    /// Between two signs of life of a reader that nobody uses.
    static let checkPause: Int64 = 1_000
    /// So long may one take: an idle reader that says nothing is found within two seconds (O5).
    static let checkMilliseconds: Int64 = 750

    init(binding: ReaderBinding, hasPort: Bool = false) {
        self.binding = binding
        self.hasPort = hasPort
        ladder = RecoveryLadder(RecoveryMeans(hasProgram: false, hasPort: hasPort))
    }

    /// What a reader's thread does next.
    enum Step {
        case stop
        case establishContext(generation: UInt64)
        /// `isRerun` as in `PresenceRule.Step`.
        case serve(pcscName: String, isRerun: Bool)
        /// Find out whether a reader that was refused can be used again.
        case probe(pcscName: String)
        /// Find out whether there is a phone in a reader that pcscd calls empty.
        case inquire(pcscName: String)
        /// Ask the reader for a sign of life.
        case check(pcscName: String)
        /// Take that step to bring it back.
        case recover(RecoveryRung, pcscName: String)
    }

    /// Looks into the reader after the first look at that time; not at all when that is nil.
    mutating func inquire(from firstLook: Int64?) {
        inquiries = firstLook.map { look in Self.inquiryDelays.map { look + $0 } } ?? []
        finds = 0
    }

    var boundName: String? {
        if case .bound(let pcscName) = assignment { pcscName } else { nil }
    }

    /// Changes what the thread does; a change ends the state of being stuck.
    mutating func turn(to activity: ReaderActivity) {
        self.activity = activity
        isStuck = false
        isSilent = false
    }

    /// What the reader is good for.
    /// - Parameter isSeen: whether anybody has looked into its field since it was plugged in.
    /// - Returns: nil in the moment before the first look: nobody says that a reader is ready on which a card lies.
    func state(service: ReadersState.Service, isSeen: Bool, at now: Int64) -> ReaderState? {
        if isStuck, let since = activity.waitingForDriverSince { return .stuck(milliseconds: now - since) }
        switch service {
        case .down(let error): return .serviceDown(error)
        case .silent(let since): return .serviceSilent(milliseconds: now - since)
        case .up: break
        }
        switch assignment {
        case .absent(let reason): return .absent(reason: reason)
        case .ambiguous(let candidates): return .ambiguous(candidates: candidates)
        case .bound:
            if let climb = ladder.climb { return .recovering(.silentReader, climb.rung, tries: climb.tries) }
            if let contextRefusal, contextRefusal.isFault(at: now) { return .unconnected(contextRefusal.error) }
            if let connectionRefusal, connectionRefusal.isFault(at: now) { return .refused(connectionRefusal.error) }
            guard isSeen else { return nil }
            return presence.isPresent ? .cardPresent : .ready
        }
    }

    /// When this slot must be looked at for being stuck; nil when nothing runs.
    func supervisionTime(at now: Int64) -> Int64? {
        let limit = binding.stuckAfterMilliseconds
        return switch activity {
        case .idle: nil
        // The next call may begin at any moment without telling: its time is not over before that.
        case .conversing: now + limit
        // Whether it is the reader that says nothing, or pcscd, shows later than when its time is over.
        case .checking(let since): isStuck ? nil : max(since + (isSilent ? limit : Self.checkMilliseconds), now + Self.evidencePause)
        case .connecting(let since), .transmitting(let since), .disconnecting(let since):
            isStuck ? nil : since + limit
        }
    }
}

extension LinkFault {
    static let silentReader = LinkFault(code: "reader-silent", message: "The reader does not answer pcscd. Look at its cable and power.")
}

/// PC/SC runs, and does not let us use a reader. Kept until it does.
struct ReaderRefusal: Equatable {
    /// What it said last.
    let error: PCSCError
    /// Since when, in monotonic milliseconds.
    let since: Int64
    /// A refusal that is over sooner is nobody's concern.
    let graceMilliseconds: Int64

    /// Whether it has lasted long enough to be a fault.
    func isFault(at now: Int64) -> Bool { now - since >= graceMilliseconds }
}

extension ReaderRefusal? {
    /// pcscd gives the reader's thread no context. The watcher sees first, and says, that pcscd itself is gone.
    mutating func contextRefused(_ error: PCSCError, at now: Int64) {
        refused(error, graceMilliseconds: 2_000, at: now)
    }

    /// The card, or the reader, could not be connected to. A program that asks the reader for a moment is no
    /// fault; pcscd that lets us not in is one at once.
    mutating func connectionRefused(_ error: PCSCError, at now: Int64) {
        refused(error, graceMilliseconds: error.kind == .denied ? 0 : 400, at: now)
    }

    private mutating func refused(_ error: PCSCError, graceMilliseconds: Int64, at now: Int64) {
        // pcscd may say it now with one number and now with another.
        self = ReaderRefusal(error: error, since: self?.since ?? now, graceMilliseconds: graceMilliseconds)
    }
}
