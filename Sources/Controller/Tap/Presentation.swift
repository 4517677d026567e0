import Conversations
import Credentials
import Encoding
import Gate
import Readers
import Service
import Storage
import Threads

/// One phone in one reader's field, from SELECT to OUTCOME. This is the tap's path: read it from
/// `run` downwards.
struct Presentation: ~Copyable {
    private let station: TapStation
    private let link: any Link
    private let attempt: Attempt
    private var gate: OnTouchGate
    /// What the phone is told in EAD_2, and therefore judged by (V6).
    private let wantsSecondFactor: Bool
    private var timing = TapTiming()
    /// The true reason of the latest refusal before a proof.
    private var unprovenReason: Reason?
    /// What shall happen to the phone as long as it stays in the field.
    private var disposition = PresentationDisposition.done

    init(station: TapStation, link: any Link, gate: consuming OnTouchGate, wantsSecondFactor: Bool) {
        self.station = station
        self.link = link
        self.gate = gate
        self.wantsSecondFactor = wantsSecondFactor
        let began = MonotonicTime.milliseconds
        attempt = Attempt(reader: station.reader, carrier: .nfc, began: began, deadline: began + station.deadline) { attempt in
            link.invalidate()
            station.concludeUnproven(.timeout, of: attempt)
        }
    }

    /// Holds the conversation. Returns what shall happen to the phone while it stays in the field.
    mutating func run() -> PresentationDisposition {
        link.close(atMonotonicMilliseconds: attempt.deadline)
        station.timekeeper.watch(attempt)
        defer { station.timekeeper.forget(attempt) }
        station.announce(attempt)
        defer { station.endReading(attempt) }
        var action = gate.start()
        while true {
            switch action {
            case .send(let command):
                guard let next = exchange(command) else { return disposition }
                action = next
            case .sendFinal(let command, let transcript):
                guard beginRecord(transcript) else { return disposition }
                guard let next = exchange(command) else { return disposition }
                action = next
            case .identify(let claim):
                action = identify(claim)
            case .finish(let end):
                finish(end)
                return disposition
            }
        }
    }

    /// A phone may begin again with another credential in the same presentation; each beginning is an
    /// attempt of its own in the journal, and has its own end.
    private mutating func beginRecord(_ transcript: [UInt8]) -> Bool {
        if attempt.record != nil {
            station.audit.concludeUnproven(unprovenReason ?? .unknownKey, of: attempt)
            unprovenReason = nil
        }
        return attempt.beginRecord { station.audit.begin(attempt, transcript: transcript) }
    }

    /// One command and its response; nil when the link broke.
    private mutating func exchange(_ command: [UInt8]) -> OnTouchGate.Action? {
        do {
            let response = try link.transmit(command)
            timing.lastByte = MonotonicTime.microseconds
            return gate.receive(response)
        } catch {
            station.log.info("\(error.code): reader \(station.reader): \(error.message)")
            endUnproven(Reason(error))
            return nil
        }
    }

    /// The phone has said who it is: check what it shows and its proof, then decide.
    private mutating func identify(_ claim: Claim) -> OnTouchGate.Action {
        // One reading for verification and journal: the kernel's word on the clock is a system call.
        let time = station.clock.now()
        switch station.identifier.identify(claim, clock: ClockReading(time)) {
        case .stranger(let reason):
            // The work that somebody who is known would have caused, so that time does not tell either.
            let proof = gate.resolve(PeerCredential.decoy)
            return refuse(proof.isWrongRole ? .wrongRole : reason)
        case .candidates(let candidates):
            switch gate.resolve(candidates.map(\.peer)) {
            case .refused(.wrongRole):
                return refuse(.wrongRole)
            case .refused(let reason):
                return refuse(candidates.count == 1 ? candidates[0].result.reason ?? reason : reason)
            case .proved(let proof):
                return decide(proof, candidates[proof.candidate], at: time)
            }
        }
    }

    /// Nothing was proved: the phone learns only the uniform refusal. It may begin again with
    /// another credential, so that the attempt goes on until the conversation ends.
    private mutating func refuse(_ reason: Reason) -> OnTouchGate.Action {
        unprovenReason = reason
        return gate.refuse(reason)
    }

    /// The phone is who it says. From here to the relay is what people wait for.
    private mutating func decide(_ proof: Proof, _ candidate: Candidate, at time: WallTime) -> OnTouchGate.Action {
        let proved = MonotonicTime.milliseconds
        guard attempt.beginDecision(at: proved) else { return gate.refuse(.timeout) }
        let result = PresentationResult(candidate.result, wantsSecondFactor: wantsSecondFactor,
                                        isAllowed: station.allows(proof.claim.request))
        let (judged, admission) = station.decide(result, of: candidate, proof.claim.request, over: attempt.carrier, at: time)
        let decided = MonotonicTime.microseconds
        var decision = station.confirm(judged, admission, record: attempt.record, proved: proved)
        let confirmed = MonotonicTime.microseconds
        let entry = station.audit.outcome(decision, of: attempt, proof: proof, candidate: candidate,
                                          at: JournalTime(time))
        let handedOver = MonotonicTime.microseconds
        let outcome = station.audit.conclude(entry, isGrant: decision.isGranted, rules: station.auditRules)
        timing.decided = decided
        timing.waited = confirmed - decided + MonotonicTime.microseconds - handedOver
        if decision.isGranted, !station.open(outcome, candidate, admission, proof.claim.request, over: attempt.carrier) {
            station.audit.relayFailed(after: outcome)
            decision = Gatekeeper.relayFailed
        } else if decision.isGranted {
            timing.relay = MonotonicTime.microseconds
        }
        conclude(decision, candidate)
        if let token = candidate.verifiedToken { station.tokens.remember(token) }
        return gate.outcome(PhoneOutcome(decision, head: outcome.head))
    }

    private mutating func conclude(_ decision: Decision, _ candidate: Candidate) {
        _ = attempt.end()
        if !decision.isGranted { station.deny(decision, over: attempt.carrier) }
        disposition = Self.disposition(after: decision)
        station.report(decision, of: attempt, credential: ShortIdentifier(candidate.identifier), timing: timing)
    }

    /// A phone that only came too early is served as soon as it may be, without being lifted.
    private static func disposition(after decision: Decision) -> PresentationDisposition {
        if let retryAfter = decision.retryAfter { return .again(afterMilliseconds: retryAfter) }
        return decision.reason == .busy ? .again(afterMilliseconds: busyPause) : .done
    }

    /// Milliseconds until a phone is tried again whose lane another reader was just opening.
    private static let busyPause: Int64 = 100

    /// The conversation is over. If nothing was decided, that is the result.
    private mutating func finish(_ end: ConversationEnd) {
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

    private mutating func endUnproven(_ reason: Reason) {
        guard attempt.end() else { return }
        if reason == .cardRemoved || reason == .readerFault { disposition = .interrupted }
        station.concludeUnproven(reason, of: attempt)
    }
}
