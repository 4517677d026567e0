import Credentials
import Encoding
import Gate
import Lanes
import PhoneProtocol
import Service
import Storage
import Threads
import Vocabulary

/// One phone's or card's case before the gate, from its first attempt record to its result, whatever carries the conversation:
/// who it is, what is decided, what is written down. `Presentation` and `CardPresentation` hold it at a reader,
/// `LinkTap` over a radio.
package struct TapTransaction: ~Copyable {
    /// How a case ended.
    package enum End {
        /// The phone proved itself and had its result.
        case decided(Decision)
        /// It came to no proof.
        case unproven(Reason)
    }

    let station: TapStation
    let attempt: Attempt
    /// When its steps happened.
    var timing = TapTiming()
    /// Its result, once there is one. Stays nil when the deadline was faster.
    private(set) var end: End?
    /// What the phone is told in EAD_2, and therefore judged by (V6).
    private let wantsSecondFactor: Bool
    /// The true reason of the latest refusal before a proof.
    private var unprovenReason: Reason?
    /// The phone may be the one that had its result here a moment ago (T9).
    private let mayBeTheSame: Bool
    /// It is: nothing is done for it, and nothing shown.
    private(set) var isTheSame = false

    package init(station: TapStation, attempt: Attempt, wantsSecondFactor: Bool, mayBeTheSame: Bool = false) {
        self.mayBeTheSame = mayBeTheSame
        self.station = station
        self.attempt = attempt
        self.wantsSecondFactor = wantsSecondFactor
    }

    /// The deadline is kept and the lane shows that it reads.
    package func begin() {
        station.timekeeper.watch(attempt)
        station.announce(attempt)
    }

    /// The conversation is over, however it went.
    package func close() {
        station.timekeeper.forget(attempt)
        station.endReading(attempt)
    }

    /// A phone may begin again with another credential in the same presentation; each beginning is an
    /// attempt of its own in the journal, and has its own end. False when the deadline was faster.
    package mutating func beginRecord(_ transcript: [UInt8]) -> Bool {
        let isBegun = attempt.beginRecord { earlier in
            if let earlier { station.audit.concludeUnproven(unprovenReason ?? .unknownKey, of: attempt, record: earlier) }
            return station.audit.begin(attempt, transcript: transcript)
        }
        if isBegun { unprovenReason = nil }
        return isBegun
    }

    /// The phone has said who it is: check what it shows and its proof, then decide.
    mutating func identify<Conversation: GateConversation & ~Copyable>(
        _ claim: Claim, in conversation: inout Conversation
    ) -> Conversation.Action {
        // One reading for verification and journal: the kernel's word on the clock is a system call.
        let time = station.clock.now()
        switch station.identifier.identify(claim, clock: time.reading) {
        case .stranger(let reason):
            // The work that somebody who is known would have caused, so that time does not tell either.
            let proof = conversation.resolve(PeerCredential.decoy)
            return refuse(proof.isWrongRole ? .wrongRole : reason, in: &conversation)
        case .candidates(let candidates):
            switch conversation.resolve(candidates.map(\.peer)) {
            case .refused(.wrongRole):
                return refuse(.wrongRole, in: &conversation)
            case .refused(let reason):
                return refuse(candidates.count == 1 ? candidates[0].holder.result.reason ?? reason : reason, in: &conversation)
            case .proved(let proof):
                return decide(proof, candidates[proof.candidate].holder, at: time, in: &conversation)
            }
        }
    }

    /// Nothing was proved: the phone learns only the uniform refusal. It may begin again with
    /// another credential, so that the attempt goes on until the conversation ends.
    private mutating func refuse<Conversation: GateConversation & ~Copyable>(
        _ reason: Reason, in conversation: inout Conversation
    ) -> Conversation.Action {
        unprovenReason = reason
        return conversation.refuse(reason)
    }

    /// The phone is who it says. From here to the relay is what people wait for.
    private mutating func decide<Conversation: GateConversation & ~Copyable>(
        _ proof: Proof, _ holder: Holder, at time: WallTime, in conversation: inout Conversation
    ) -> Conversation.Action {
        guard let (decision, outcome) = decide(.proof(proof), holder, at: time) else { return conversation.refuse(.timeout) }
        if let token = holder.verifiedToken { station.tokens.remember(token) }
        if let spare = conversation.removeSpare() { station.ephemerals.putBack(spare) }
        return conversation.outcome(PhoneOutcome(decision, head: outcome.head))
    }

    /// A UID-only card lies on the reader.
    package mutating func judge(card number: [UInt8]) {
        guard station.acceptsUIDOnlyCards else { return endUnproven(.uidOnlyCardsOff) }
        guard attempt.beginRecord({ _ in station.audit.begin(attempt, transcript: nil) }) else { return }
        let time = station.clock.now()
        let request = PresentedEvidence.card(on: station.lane.name).request
        let answer = station.answerToAnyCard(request, wantsSecondFactor: wantsSecondFactor, at: time)
        guard answer.isGranted else { return turnAway(answer, card: number, at: time) }
        switch identify(card: number, at: time) {
        case .stranger(let reason):
            endUnproven(reason)
        case .holder(let holder):
            timing.lastByte = timing.began
            _ = decide(.card(on: station.lane.name), holder, at: time)
        }
    }

    private func identify(card number: [UInt8], at time: WallTime) -> CardIdentification {
        guard let number = try? UIDOnlyCardNumber(number) else { return .stranger(.unknownKey) }
        return station.identifier.identify(number, clock: time.reading)
    }

    /// The lane serves no card now. Indicators and events come before the list is asked: they cannot depend on it, nor can their time.
    private mutating func turnAway(_ answer: Decision, card number: [UInt8], at time: WallTime) {
        guard attempt.beginDecision(at: MonotonicTime.milliseconds) else { return }
        _ = attempt.end()
        end = .decided(answer)
        station.deny(answer, of: attempt)
        station.report(answer, of: attempt, credential: nil, timing: nil)
        station.writeDown(identify(card: number, at: time), of: attempt, shown: answer, at: time)
    }

    /// Somebody who is known has shown what there is to show. Nil when the deadline was faster.
    private mutating func decide(_ presentedEvidence: PresentedEvidence, _ holder: Holder, at time: WallTime) -> (Decision, outcome: JournalTicket)? {
        let proved = MonotonicTime.milliseconds
        guard attempt.beginDecision(at: proved) else { return nil }
        let request = presentedEvidence.request
        let (command, result) = station.judge(request, presentedEvidence.assurance, of: holder, wantsSecondFactor: wantsSecondFactor,
                                              over: attempt.carrier, at: time)
        let action = command?.action ?? .pass
        isTheSame = mayBeTheSame && station.lastHolder.isHolder(holder.identifier)
        let admission = isTheSame ? .open : station.admit(result, action, holder, at: time)
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        let reservation = if isTheSame {
            LaneReservation(nothing: .busy)
        } else {
            station.reserve(result, action, admission, of: holder, over: attempt.carrier, at: now)
        }
        let judged = isTheSame ? Gatekeeper.notAway : Gatekeeper.decide(result, access: admission.judgement, on: reservation.condition, at: now)
        let decided = MonotonicTime.microseconds
        var decision = station.confirm(judged, record: attempt.record, proved: proved)
        let confirmed = MonotonicTime.microseconds
        var entry = station.audit.outcome(decision, of: attempt, presentedEvidence: presentedEvidence, holder: holder, action: command?.action, at: JournalTime(time))
        if decision.isGranted { entry.effects = station.commands.effects(of: action, lane: station.lane, at: time.milliseconds) }
        let handedOver = MonotonicTime.microseconds
        let outcome = station.audit.conclude(entry, isGrant: decision.isGranted, rules: station.auditRules)
        timing.decided = decided
        timing.waited = confirmed - decided + MonotonicTime.microseconds - handedOver
        if !decision.isGranted {
            station.giveBack(reservation, admission)
        } else if !perform(command, reservation, outcome, holder, admission, request) {
            station.audit.relayFailed(after: outcome)
            decision = Gatekeeper.relayFailed
        }
        conclude(decision, holder, request.command)
        return (decision, outcome)
    }

    /// Lets the person through, or does what else the command says. False when it could not be done.
    private mutating func perform(_ command: LaneCommand?, _ reservation: consuming LaneReservation, _ outcome: JournalTicket, _ holder: Holder,
                                  _ admission: Admission, _ request: PhoneRequest) -> Bool {
        if let command, !command.action.isPassage { return station.run(command, reservation, for: outcome) }
        let opened = station.open(reservation, for: outcome, holder, admission, request, over: attempt.carrier)
        if opened { timing.relay = MonotonicTime.microseconds }
        return opened
    }

    private mutating func conclude(_ decision: Decision, _ holder: Holder, _ command: String) {
        _ = attempt.end()
        end = .decided(decision)
        if !decision.isGranted, !isTheSame { station.deny(decision, of: attempt) }
        // Who only came too early has had no result.
        if !isTheSame, attempt.carrier == .nfc { station.lastHolder.become(decision.isFinal ? holder.identifier : nil) }
        station.report(decision, of: attempt, command: command, credential: ShortIdentifier(holder.identifier), timing: timing)
    }

    /// The conversation is over. If nothing was decided, that is the result.
    mutating func finish(_ end: ConversationEnd) {
        switch end {
        case .outcomeTold:
            break
        case .outcomeNotTold(let detail):
            station.log.info("outcome-not-told: reader \(station.reader): \(detail)")
        case .stopped(let reason, let detail):
            if !detail.isEmpty { station.log.info("\(reason.rawValue): reader \(station.reader): \(detail)") }
            endUnproven(unprovenReason ?? reason)
        }
    }

    /// It comes to no proof any more.
    mutating func endUnproven(_ reason: Reason) {
        guard attempt.end() else { return }
        end = .unproven(reason)
        let isBrokenOff = reason == .cardRemoved || reason == .readerFault
        if !isBrokenOff { station.lastHolder.become(nil) }
        // Whoever lifts a phone that had its result is shown no refusal for it.
        station.concludeUnproven(reason, of: attempt, isShown: !(mayBeTheSame && isBrokenOff))
    }
}
