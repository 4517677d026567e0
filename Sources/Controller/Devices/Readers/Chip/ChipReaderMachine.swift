import Encoding
import ReaderProtocol

/// One PN532 behind its program: from what the program says to what the gate does. Pure; times are monotonic milliseconds.
///
/// Whatever comes is bounded by `ReaderFrame` and believed to be nothing but a phone's bytes and a program's claims. A program that
/// breaks the rules is ended; so is one that falls silent. A chip that fails is brought back step by step (`RecoveryLadder`).
struct ChipReaderMachine {
    enum Line {
        /// There is no connection.
        case none
        /// One is being made.
        case connecting
        /// There is one, and the chip is so.
        case up(ChipState)
    }

    let setup: ReaderSetup
    private(set) var line = Line.none
    private(set) var hand = ChipHand.empty
    private(set) var ladder: RecoveryLadder
    /// What is or was wrong, while the ladder is climbed.
    private(set) var lastFault: ChipFault?
    private var watch: ChipWatch
    private var presence = ChipPresence()
    private var conversation: ChipConversation?
    /// The presentation whose command has no answer yet, also when nobody wants it any more.
    private var owed: UInt32?
    private var lastPresentation: UInt32?
    /// The field was looked into since the chip was opened.
    private var hasLooked = false
    /// What was said since the reader last worked.
    private var reported: Set<String> = []

    /// A phone that may be served so soon is kept waiting rather than let go of: to find it again takes a cycle.
    static let shortWait: Int64 = 250

    init(_ setup: ReaderSetup, _ means: RecoveryMeans = RecoveryMeans(), counts: RecoveryCounts = RecoveryCounts()) {
        self.setup = setup
        ladder = RecoveryLadder(means, counts: counts)
        watch = ChipWatch(setup, now: 0)
    }

    // The connection ----------------------------------------------------------------------------

    /// The reader is put into service.
    mutating func begin() -> [ChipReaderAction] {
        line = .connecting
        return [.connect]
    }

    /// There is a connection.
    mutating func connected(at now: Int64) -> [ChipReaderAction] {
        line = .up(.opening)
        (hand, owed, lastPresentation) = (.empty, nil, nil)
        watch = ChipWatch(setup, now: now)
        ladder.done(.restart, at: now)
        return [.send(.setUp(setup))]
    }

    /// There is none, or none any more, for that reason.
    mutating func disconnected(_ fault: ChipFault, at now: Int64) -> [ChipReaderAction] {
        fails(fault, at: now)
    }

    // What the program says ---------------------------------------------------------------------

    mutating func handle(_ report: ReaderReport, at now: Int64) -> [ChipReaderAction] {
        guard case .up = line else { return [] }
        switch report {
        case .answer(let answer): return answered(answer.presentation, .success(answer.apdu), byChip: true, at: now)
        case .failed(let failure):
            return answered(failure.presentation, .failure(LinkError(failure)), byChip: failure.cause != .chip, at: now)
        case .state, .card, .empty, .beat: break
        }
        if let fault = watch.handle(report, now: now) { return fails(fault, at: now) }
        switch report {
        case .state(let state): return opens(state, at: now)
        case .card(let card): return presented(card, at: now)
        case .empty: isEmpty(at: now)
        case .beat: if watch.isAtWork { works(at: now) }
        case .answer, .failed: break
        }
        return []
    }

    private mutating func answered(
        _ presentation: UInt32, _ result: Result<[UInt8], LinkError>, byChip: Bool, at now: Int64
    ) -> [ChipReaderAction] {
        guard owed == presentation else {
            return fails(.programLied("It answers for presentation \(presentation), which was asked nothing."), at: now)
        }
        owed = nil
        if conversation?.presentation == presentation { conversation?.comes(to: result) }
        if let fault = watch.answered(byChip: byChip, now: now) { return fails(fault, at: now) }
        if byChip { works(at: now) }
        return []
    }

    private mutating func opens(_ state: ChipState, at now: Int64) -> [ChipReaderAction] {
        line = .up(state)
        losesSight(.cardGone(.phoneGone), at: now)
        guard case .failed(let failure) = state else { return [] }
        return fails(.notOpened(failure), at: now)
    }

    private mutating func presented(_ card: ReportedCard, at now: Int64) -> [ChipReaderAction] {
        if let lastPresentation, card.presentation <= lastPresentation {
            return fails(.programLied("Presentation \(card.presentation) comes after \(lastPresentation)."), at: now)
        }
        guard owed == nil else { return fails(.programLied("It tells of a phone while it owes an answer."), at: now) }
        guard card.kind == .isoDEP || setup.reportsUIDOnlyCards else {
            return fails(.programLied("It tells of a UID-only card, which it was not asked for."), at: now)
        }
        lastPresentation = card.presentation
        // One from before the chip was closed.
        guard isOpen else { return [] }
        conversation?.breaks(.cardGone(.phoneGone))
        let wasHeld = if case .held = hand { true } else { false }
        presence.found(card.kind, card.uid, isAnew: wasHeld, at: now)
        (hand, hasLooked) = (.fresh(card), true)
        works(at: now)
        return []
    }

    private mutating func isEmpty(at now: Int64) {
        guard isOpen else { return }
        conversation?.breaks(.cardGone(.phoneGone))
        presence.isEmpty(at: now)
        (hand, hasLooked) = (.empty, true)
        works(at: now)
    }

    /// The chip has done something.
    private mutating func works(at now: Int64) {
        guard isOpen else { return }
        ladder.healthy(at: now)
        if ladder.climb == nil { reported = [] }
    }

    private var isUp: Bool {
        if case .up = line { true } else { false }
    }

    private var isOpen: Bool {
        if case .up(.open) = line { true } else { false }
    }

    // Time --------------------------------------------------------------------------------------

    /// What has taken too long. To be asked after everything that has come was taken.
    mutating func look(at now: Int64) -> [ChipReaderAction] {
        guard case .up = line, let fault = watch.late(at: now, whileItWaits: waits) else { return [] }
        return fails(fault, at: now)
    }

    /// What the time has come for. Not while a presentation is held.
    mutating func advance(to now: Int64) -> [ChipReaderAction] {
        let late = look(at: now)
        switch ladder.step(at: now) {
        case .run(let rung): return late + start(rung, at: now)
        case .wait: return late + serves(at: now)
        }
    }

    /// When `advance` has something to do by itself; nil for never.
    var next: Int64? {
        var times = [ladder.nextStep].compactMap(\.self)
        if case .up = line { times.append(watch.next(whileItWaits: waits)) }
        if let time = presenceTime { times.append(time) }
        return times.min()
    }

    private var waits: Bool { hand.isWithGate || ladder.climb != nil }

    /// When the phone that is there may be served.
    private var presenceTime: Int64? {
        guard isOpen, ladder.climb == nil, case .wait(until: let time) = presence.step(at: .min) else { return nil }
        switch hand {
        case .fresh, .held: return time
        // The next report says how it goes on.
        case .empty, .accepted, .released: return nil
        }
    }

    // Recovery ----------------------------------------------------------------------------------

    /// A step that is not the program's to take has been taken.
    /// - Parameter failure: what stood in its way. It is told once, for the step comes round again for as long as the reader fails.
    mutating func finished(_ rung: RecoveryRung, failure: LinkFault? = nil, at now: Int64) -> [ChipReaderAction] {
        var note: [ChipReaderAction] = []
        if let failure { note = notes(failure.code, ReaderNote(code: failure.code, message: failure.message)) }
        guard case .up = line else { return note + fails(.programDied, at: now) }
        return note + notify(.reopen, after: rung, at: now)
    }

    private mutating func start(_ rung: RecoveryRung, at now: Int64) -> [ChipReaderAction] {
        losesSight(.failed(.recovering), at: now)
        let note = notes(rung.rawValue, ReaderNote(code: "nfc-recovery", message: "To bring the reader back, \(rung.sentence)."))
        switch rung {
        case .abort: return note + notify(.abort, after: rung, at: now)
        case .reopen: return note + notify(.reopen, after: rung, at: now)
        case .resetLine: return note + [.resetLine]
        case .reauthorise: return note + [.reauthorise]
        case .restart:
            let wasUp = isUp
            (line, owed) = (.connecting, nil)
            return wasUp ? note + [.disconnect, .connect] : note + [.connect]
        }
    }

    private mutating func notify(_ order: ReaderOrder, after rung: RecoveryRung, at now: Int64) -> [ChipReaderAction] {
        if order == .reopen { line = .up(.opening) }
        watch.startsAnew(now: now)
        ladder.done(rung, at: now)
        return [.send(order)]
    }

    private mutating func fails(_ fault: ChipFault, at now: Int64) -> [ChipReaderAction] {
        lastFault = fault
        // Of a chip that polls or holds a phone the program tells changes only: what it has told counts until it is asked to take a step, and
        // it is not where the chip comes round before.
        if fault.need != .chip || hand.isWithGate { losesSight(LinkError(fault), at: now) }
        watch.givesUp()
        ladder.fault(fault.need, at: now)
        let note = notes(fault.code, ReaderNote(code: fault.code, message: fault.message))
        guard fault.need == .program else { return note }
        let wasUp = isUp
        (line, owed) = (.none, nil)
        return wasUp ? note + [.disconnect] : note
    }

    /// Once for each time that the reader fails.
    private mutating func notes(_ what: String, _ note: ReaderNote) -> [ChipReaderAction] {
        reported.insert(what).inserted ? [.note(note)] : []
    }

    /// Nobody knows what is in the field. Time not seen is no time away.
    private mutating func losesSight(_ error: LinkError, at now: Int64) {
        conversation?.breaks(error)
        presence.lostSight(at: now)
        (hand, hasLooked) = (.empty, false)
    }

    // Presentations -----------------------------------------------------------------------------

    private mutating func serves(at now: Int64) -> [ChipReaderAction] {
        guard isOpen, ladder.climb == nil else { return [] }
        switch (hand, presence.step(at: now)) {
        case (.fresh(let card), .serve):
            presence.begin()
            hand = .accepted(presentation: card.presentation)
            conversation = ChipConversation(presentation: card.presentation)
            return [.serve(card)]
        case (.fresh(let card), .wait(let time)):
            if let time, time - now <= Self.shortWait { return [] }
            return ends(card.presentation, .holdUntilAway, at: now)
        case (.held(let presentation), .serve): return ends(presentation, .pollOn, at: now)
        case (.held, .wait), (.empty, _), (.accepted, _), (.released, _): return []
        }
    }

    private mutating func ends(_ presentation: UInt32, _ after: AfterPresentation, at now: Int64) -> [ChipReaderAction] {
        hand = switch after {
        case .holdUntilAway: .held(presentation: presentation)
        case .pollOn: .released
        }
        watch.notified(now: now)
        return [.send(.end(presentation: presentation, after))]
    }

    /// Whether the phone that is served may be the one that was served last.
    var mayBeTheSame: Bool { presence.mayBeTheSame }

    /// The presentation has a command for the phone.
    mutating func asks(_ apdu: [UInt8], at now: Int64) throws(LinkError) -> ReaderOrder {
        guard let conversation, owed == nil else { throw .timedOut }
        if let end = conversation.end { throw end }
        let command: ReaderCommand
        do throws(FrameError) {
            command = try ReaderCommand(presentation: conversation.presentation, apdu: apdu)
        } catch {
            throw .failed(LinkFault(code: "nfc-command-length", message: "A command of \(apdu.count) bytes is none for a PN532."))
        }
        owed = conversation.presentation
        self.conversation?.asks()
        watch.asked(now: now)
        return .command(command)
    }

    /// What the command came to; nil while it is under way.
    mutating func removeResult() -> Result<[UInt8], LinkError>? {
        conversation?.removeResult()
    }

    /// Nobody waits for the answer any more.
    mutating func abandons() {
        conversation?.abandons()
    }

    /// The presentation is over.
    mutating func ended(_ disposition: PresentationDisposition, at now: Int64) -> [ChipReaderAction] {
        conversation = nil
        presence.end(disposition, at: now)
        guard case .accepted(let presentation) = hand else { return [] }
        switch disposition {
        case .done, .again: return ends(presentation, .holdUntilAway, at: now)
        case .interrupted: return ends(presentation, .pollOn, at: now)
        }
    }
}

extension ChipReaderMachine {
    /// What the reader is good for; nil before anybody has looked into its field.
    var state: ReaderState? {
        if let climb = ladder.climb, let lastFault {
            switch lastFault {
            case .notOpened where lastFault.need == .port, .programAbsent: return .failed(LinkFault(lastFault))
            case .notOpened, .programDied, .programSilent, .programLied, .programBabbles, .chipSilent, .chipFails:
                return .recovering(LinkFault(lastFault), climb.rung, tries: climb.tries)
            }
        }
        guard isOpen, hasLooked else { return nil }
        return presence.isPresent ? .cardPresent : .ready
    }
}

extension LinkFault {
    fileprivate static let phoneGone = LinkFault(code: "nfc-phone-gone", message: "The phone is no longer there.")
    fileprivate static let recovering = LinkFault(code: "nfc-recovery", message: "The reader is being brought back.")
}

extension LinkError {
    /// What the program says of a command that has no answer.
    fileprivate init(_ failure: ExchangeFailure) {
        switch failure.cause {
        case .gone: self = .cardGone(.phoneGone)
        case .timedOut: self = .timedOut
        case .chip: self = .failed(LinkFault(code: "nfc-chip-failed", message: "The chip failed in an exchange (libnfc \(failure.number))."))
        }
    }
}
