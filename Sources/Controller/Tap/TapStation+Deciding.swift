import ControlProtocol
import Credentials
import Encoding
import Gate
import Service
import Storage
import Threads

extension TapStation {
    /// What a proven phone comes to on the lane at this moment. A grant takes the lane.
    func decide(_ result: PresentationResult, over carrier: Carrier) -> Decision {
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        switch result {
        case .unproven, .refused, .lacksSecondFactor:
            return Gatekeeper.decide(result, on: lane.condition(for: carrier, at: now), at: now)
        case .verified:
            return Gatekeeper.decide(result, on: lane.reserve(for: carrier, at: now), at: now)
        }
    }

    /// What stands of a grant once it is known whether its audit is durable; otherwise gives the lane back.
    func confirm(_ decision: Decision, record: JournalTicket?, proved: Int64) -> Decision {
        guard decision.isGranted else { return decision }
        let condition = audit.condition(of: record, proof: proved, rules: auditRules)
        let confirmed = Gatekeeper.confirm(decision, audit: condition, onFailure: auditRules.onFailure)
        if !confirmed.isGranted { lane.release() }
        return confirmed
    }

    /// Moves the relay of the lane that a grant has taken. False when it stayed at rest.
    func open() -> Bool {
        let opened = lane.open(at: Instant(milliseconds: MonotonicTime.milliseconds))
        timekeeper.laneChanged()
        return opened
    }

    /// Shows a denial.
    func deny(_ decision: Decision, over carrier: Carrier) {
        lane.deny(decision, over: carrier, at: Instant(milliseconds: MonotonicTime.milliseconds))
        timekeeper.laneChanged()
    }

    /// Closes a presentation in which nothing was proved: journal, lights, events.
    func concludeUnproven(_ reason: Reason, of attempt: Attempt) {
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        let decision = Gatekeeper.decide(.unproven(reason), on: lane.condition(for: attempt.carrier, at: now), at: now)
        audit.concludeUnproven(reason, of: attempt)
        deny(decision, over: attempt.carrier)
        report(decision, of: attempt, credential: nil, timing: nil)
    }

    /// Tells that a presentation has begun.
    func announce(_ attempt: Attempt) {
        events.emit(.started, fields(of: attempt))
    }

    /// Tells how it ended. The credential is named by a few digits only, and nobody by name (O6).
    func report(_ decision: Decision, of attempt: Attempt, credential: ShortIdentifier?, timing: TapTiming?) {
        let result = decision.isGranted ? "granted" : "denied"
        decisionLog.info("\(result) \(decision.reason.rawValue): lane \(lane.name), reader \(reader), credential \(credential?.description ?? "unknown")")
        var event = fields(of: attempt)
        event["result"] = .string(result)
        event["reason"] = .string(decision.reason.rawValue)
        event["sentence"] = .string(decision.reason.sentence)
        event["rule"] = .string(decision.rule.rawValue)
        if let credential { event["credential"] = .string(credential.description) }
        if let retryAfter = decision.retryAfter { event["retryAfter"] = .integer(retryAfter) }
        if let timing { event["timing"] = timing.json }
        events.emit(.result, event)
    }

    private func fields(of attempt: Attempt) -> JSONObject {
        ["lane": .string(lane.name), "reader": .string(reader), "carrier": .string(attempt.carrier.rawValue)]
    }
}
