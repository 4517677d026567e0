import Encoding
import ReaderProtocol

/// What is done with a PN532, as rules: look for phones in a steady rhythm, tell the gate of one, carry commands to it, and hold it until it has
/// gone. Pure: steps go out, their results and the gate's orders come in. Times are monotonic milliseconds.
struct PollingLoop {
    enum Phase: Hashable {
        /// The chip is not open. The gate says when it is tried again.
        case closed
        /// The chip is to be opened.
        case opening
        /// The antenna is off until then.
        case resting(until: Int64)
        /// A cycle is under way: the antenna goes on, phones are named and asked.
        case looking
        /// A phone was found, and the chip is made ready for it.
        case greeting(FoundCard)
        /// The phone is the gate's.
        case serving(Presentation)
        /// A command is with the phone.
        case exchanging(Presentation, ReaderCommand)
        /// The presentation is over; the phone is asked whether it is still there.
        case holding(Presentation)
        /// The antenna goes off, and stays off until then and for a while.
        case leaving(restUntil: Int64)
    }

    /// A card that has just got power takes requests after 5 ms (ISO/IEC 14443-3, 5); a clock of whole milliseconds may be one short.
    static let powerUpMilliseconds: Int64 = 6
    /// So long the antenna is off at least, also where a cycle took all of its time. Cards start anew after a few milliseconds without
    /// power; phones take their time to notice.
    static let shortestRest: Int64 = 20
    /// Between two questions whether a phone is still there.
    static let askMilliseconds: Int64 = 100

    private let setup: ReaderSetup
    private let exchangePatience: AirPatience
    private(set) var phase = Phase.closed
    /// What is left to do in the phase.
    private var script = PollingScript()
    /// When what is under way began; of polling that is the cycle.
    private var since: Int64 = 0
    private var cycles: UInt32 = 0
    private var faults: UInt32 = 0
    private var lastNumber: UInt32 = 0
    /// What the chip was last told; nil where that is not known.
    private var patience: AirPatience?
    private var fieldMayBeOn = false
    /// The next empty cycle is told of.
    private var owesEmpty = true
    /// A card without ISO-DEP that was served and stays: it does not mind being asked anew in each cycle.
    private var heldPlain: Presentation?

    init(_ setup: ReaderSetup) {
        self.setup = setup
        exchangePatience = .exchange(milliseconds: setup.exchangeMilliseconds)
    }

    var position: PollingPosition {
        let told: ReaderPhase = switch phase {
        case .closed, .serving: .idle
        case .opening: .opening
        case .resting, .looking, .greeting, .leaving: .polling
        case .exchanging: .exchanging
        case .holding: .holding
        }
        return PollingPosition(phase: told, since: told == .idle ? nil : since, cycles: cycles, faults: faults)
    }

    // What the gate says --------------------------------------------------------------------------

    /// The chip is to be opened, for the first time or anew.
    mutating func open(at now: Int64) -> [ReaderReport] {
        (heldPlain, owesEmpty) = (nil, true)
        enter(.opening, at: now)
        return [.state(.opening)]
    }

    mutating func receive(_ order: ReaderOrder, at now: Int64) -> [ReaderReport] {
        switch order {
        // Said once, before there is a loop (`OrderStream`).
        case .setUp: return []
        case .command(let command): return carry(command, at: now)
        case .end(let number, let after):
            end(number, after, at: now)
            return []
        case .abort:
            giveUp(at: now)
            return []
        case .reopen: return open(at: now)
        }
    }

    private mutating func carry(_ command: ReaderCommand, at now: Int64) -> [ReaderReport] {
        guard case .serving(let presentation) = phase, presentation.number == command.presentation, presentation.card.kind == .isoDEP else {
            return [.failed(ExchangeFailure(presentation: command.presentation, cause: .gone))]
        }
        enter(.exchanging(presentation, command), at: now)
        return []
    }

    private mutating func end(_ number: UInt32, _ after: AfterPresentation, at now: Int64) {
        if heldPlain?.number == number, after == .pollOn { heldPlain = nil }
        switch phase {
        case .serving(let presentation) where presentation.number == number:
            switch after {
            case .holdUntilAway: hold(presentation, at: now)
            case .pollOn: leave(at: now)
            }
        case .holding(let presentation) where presentation.number == number && after == .pollOn: leave(at: now)
        // Another presentation than the present one.
        case .closed, .opening, .resting, .looking, .greeting, .serving, .exchanging, .holding, .leaving: break
        }
    }

    private mutating func hold(_ presentation: Presentation, at now: Int64) {
        guard presentation.card.kind == .isoDEP else {
            heldPlain = presentation
            return leave(at: now)
        }
        enter(.holding(presentation), at: now, [.step(.patience(.asking)), .step(.ask)])
    }

    private mutating func giveUp(at now: Int64) {
        guard phase != .closed, phase != .opening else { return }
        (heldPlain, owesEmpty) = (nil, true)
        leave(at: now)
    }

    // What is to be done --------------------------------------------------------------------------

    /// What to do at that time.
    mutating func next(at now: Int64) -> PollingStep {
        switch phase {
        case .closed, .serving: return .wait(until: nil)
        case .opening: return .open
        case .exchanging(_, let command): return .exchange(command.apdu, exchangePatience)
        case .resting(let due):
            guard now >= due else { return .wait(until: due) }
            look(due: due, at: now)
        case .looking, .greeting, .holding, .leaving: break
        }
        // A phase with a script is left with its last step.
        return script.next(at: now) ?? .wait(until: now)
    }

    private mutating func look(due: Int64, at now: Int64) {
        var lines: [PollingScript.Line] = []
        if fieldMayBeOn { lines += [.step(.field(false)), .pause(Self.shortestRest)] }
        if patience != .polling { lines.append(.step(.patience(.polling))) }
        lines += [.step(.field(true)), .pause(Self.powerUpMilliseconds)]
        if !setup.wakeUpFrame.isEmpty { lines += [.step(.wholeFrames), .step(.announce(setup.wakeUpFrame))] }
        lines.append(.step(.find))
        enter(.looking, at: now, lines)
        // Waking late must not slow down the rhythm.
        if now - due < Int64(setup.cycleMilliseconds) { since = due }
    }

    private mutating func greet(_ card: FoundCard, at now: Int64) -> [ReaderReport] {
        guard card.kind == .isoDEP else { return report(card, at: now) }
        var lines: [PollingScript.Line] = []
        // Before the chip becomes patient: a phone that refuses is silent.
        if let rate = card.bitRate(upTo: setup.bitRate) { lines.append(.step(.agree(rate))) }
        lines.append(.step(.patience(exchangePatience)))
        phase = .greeting(card)
        script = PollingScript(lines)
        return []
    }

    private mutating func leave(at now: Int64) {
        enter(.leaving(restUntil: now), at: now, [.step(.field(false))])
    }

    private mutating func enter(_ phase: Phase, at now: Int64, _ lines: [PollingScript.Line] = []) {
        self.phase = phase
        since = now
        script = PollingScript(lines)
    }

    // What came of it -----------------------------------------------------------------------------

    /// A step that is no wait was done.
    mutating func handle(_ result: PollingResult, of step: PollingStep, at now: Int64) -> [ReaderReport] {
        learn(step, result)
        switch result {
        case .failed(let error): return failed(error, at: now)
        case .opened(let firmware):
            phase = .resting(until: now + Self.shortestRest)
            return [.state(.open(firmware))]
        case .done: return advance(at: now)
        case .found(let card): return found(card, at: now)
        case .replied(let reply): return replied(reply, at: now)
        case .isThere(let isThere):
            asked(isThere, at: now)
            return []
        }
    }

    private mutating func learn(_ step: PollingStep, _ result: PollingResult) {
        let isDone = if case .failed = result { false } else { true }
        switch step {
        case .open: (patience, fieldMayBeOn) = (isDone ? .polling : nil, false)
        case .field(let isOn): fieldMayBeOn = isOn || (fieldMayBeOn && !isDone)
        case .patience(let told): patience = isDone ? told : nil
        case .wait, .wholeFrames, .announce, .find, .agree, .exchange, .ask: break
        }
    }

    private mutating func advance(at now: Int64) -> [ReaderReport] {
        guard script.advance() else { return [] }
        switch phase {
        case .greeting(let card): return report(card, at: now)
        case .leaving(let rest): phase = .resting(until: max(rest, now + Self.shortestRest))
        // They end with a step that has more to tell.
        case .closed, .opening, .resting, .looking, .serving, .exchanging, .holding: break
        }
        return []
    }

    private mutating func found(_ card: FoundCard?, at now: Int64) -> [ReaderReport] {
        cycles &+= 1
        let seen = card.flatMap { $0.kind == .isoDEP || setup.reportsUIDOnlyCards ? $0 : nil }
        if let seen, seen.kind == .isoDEP || seen.identifier != heldPlain?.card.identifier {
            heldPlain = nil
            return greet(seen, at: now)
        }
        let isEmpty = seen == nil
        if isEmpty { heldPlain = nil }
        defer { if isEmpty { owesEmpty = false } }
        phase = .leaving(restUntil: since + Int64(setup.cycleMilliseconds))
        script = PollingScript([.step(.field(false))])
        return isEmpty && owesEmpty ? [.empty] : []
    }

    private mutating func report(_ card: FoundCard, at now: Int64) -> [ReaderReport] {
        do throws(FrameError) {
            let reported = try card.reported(as: lastNumber &+ 1)
            lastNumber &+= 1
            owesEmpty = true
            enter(.serving(Presentation(number: lastNumber, card: card)), at: now)
            return [.card(reported)]
        } catch {
            // No card is like that.
            return failed(.babbles, at: now)
        }
    }

    private mutating func replied(_ reply: PhoneReply, at now: Int64) -> [ReaderReport] {
        guard case .exchanging(let presentation, _) = phase else { return [] }
        let took = now - since
        enter(.serving(presentation), at: now)
        switch reply {
        case .lost(let number): return [lost(presentation, number, after: took)]
        case .answer(let apdu):
            do throws(FrameError) {
                return [.answer(try ReaderAnswer(presentation: presentation.number, apdu: apdu))]
            } catch {
                return [lost(presentation, LibnfcNumber.air, after: 0)]
            }
        }
    }

    /// The chip says of a phone that has gone and of one that says nothing that nobody answered: after as long as it may take.
    private func lost(_ presentation: Presentation, _ number: Int32, after milliseconds: Int64) -> ReaderReport {
        let isSilent = number == LibnfcNumber.air && milliseconds * 1_000 >= exchangePatience.microseconds
        return .failed(ExchangeFailure(presentation: presentation.number, cause: isSilent ? .timedOut : .gone, number: Int8(clamping: number)))
    }

    private mutating func asked(_ isThere: Bool, at now: Int64) {
        cycles &+= 1
        guard isThere, case .holding(let presentation) = phase else { return leave(at: now) }
        enter(.holding(presentation), at: now, [.pause(Self.askMilliseconds), .step(.ask)])
    }

    private mutating func failed(_ error: ChipError, at now: Int64) -> [ReaderReport] {
        switch phase {
        case .closed: return []
        case .opening: return close(error.failure)
        case .resting, .looking, .greeting, .holding, .leaving, .serving: faults &+= 1
        case .exchanging: break
        }
        guard case .exchanging(let presentation, _) = phase else {
            if error == .portGone { return close(.portAbsent) }
            phase = .resting(until: max(since + Int64(setup.cycleMilliseconds), now + Self.shortestRest))
            return []
        }
        enter(.serving(presentation), at: now)
        let failure = ExchangeFailure(presentation: presentation.number, cause: .chip, number: Int8(clamping: error.number))
        return [.failed(failure)] + (error == .portGone ? close(.portAbsent) : [])
    }

    private mutating func close(_ failure: ChipFailure) -> [ReaderReport] {
        phase = .closed
        return [.state(.failed(failure))]
    }
}
