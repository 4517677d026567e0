import ControlProtocol
import Credentials
import Encoding
import Gate
import Lanes
import PhoneProtocol
import Service
import Storage
import Threads
import Vocabulary

extension TapStation {
    /// What it comes to that somebody who is known has shown this and wants that, before the site's rules and the lane have their say.
    /// - Parameter wantsSecondFactor: what the phone was told.
    package func judge(_ request: PhoneRequest, _ assurance: Assurance, of holder: Holder, wantsSecondFactor: Bool, over carrier: Carrier,
               at time: WallTime) -> (command: LaneCommand?, result: PresentationResult) {
        let command = command(request, assurance, at: time)
        let result = PresentationResult(holder.result, wantsSecondFactor: wantsSecondFactor || command?.wantsSecondFactor ?? false,
                                        isAllowed: command != nil, carrier: serves(request, over: carrier))
        return (command, result)
    }

    /// The command that is asked for, if the lane runs it at this time and in this way (T4, T11); what a credential may run does not say that
    /// the lane knows it.
    func command(_ request: PhoneRequest, _ assurance: Assurance, at time: WallTime) -> LaneCommand? {
        let command = command(request, at: time)
        return switch assurance {
        case .proven: command
        // A number proves nothing: it may let its holder pass where the installer wants that, and no more.
        case .low: command.flatMap { $0.action.isPassage ? $0 : nil }
        }
    }

    private func command(_ request: PhoneRequest, at time: WallTime) -> LaneCommand? {
        guard let command = commands.command(request.command, schedules, at: time.reading) else { return nil }
        let mayRun = switch request.trigger {
        case .manual: isManual
        case .automatic: isAutomatic && command.mayRunByItself
        }
        return mayRun ? command : nil
    }

    /// Whether the lane serves such a phone over this carrier (T2).
    func serves(_ request: PhoneRequest, over carrier: Carrier) -> CarrierVerdict {
        let phone = PhoneSituation(carrier: carrier, canUseNFC: request.canUseNFC, isManual: request.trigger == .manual,
                                   isForeground: request.isForeground, isUnlocked: request.isUnlocked)
        return carrierRule.judge(phone, isNFCInService: carriers.isNFCInService(direction))
    }

    /// What a proven phone has of the lane at this moment: the lane itself where nothing stands in the way of a grant.
    package func reserve(_ result: PresentationResult, _ action: CommandAction, _ admission: Admission, of holder: Holder, over carrier: Carrier,
                 at now: Instant) -> LaneReservation {
        let direction = action.direction(atReader: self.direction)
        let credential = carrier == .ble ? holder.identifier : nil
        guard Gatekeeper.wouldGrant(result, access: admission.judgement) else {
            return LaneReservation(nothing: lane.condition(direction, for: carrier, credential: credential, at: now))
        }
        guard action.isPassage else { return lane.reserve(for: action, over: carrier, at: now) }
        return lane.reserve(direction, for: carrier, credential: credential, at: now)
    }

    /// Rules and anti-passback are asked only about somebody whose credential is good. Whoever may pass is awaited; a command that lets
    /// nobody through is a matter of rules alone.
    package func admit(_ result: PresentationResult, _ action: CommandAction, _ holder: Holder, at time: WallTime) -> Admission {
        let isVerified: Bool
        switch result {
        case .unproven, .refused: return .open
        case .unserved, .lacksSecondFactor: isVerified = false
        case .verified: isVerified = action.isPassage
        }
        let direction = action.direction(atReader: self.direction)
        return access.admit(Access.Question(holder: holder, lane: lane.name, direction: direction, time: time), isVerified: isVerified)
    }

    /// What stands of a grant once it is known whether its audit is durable.
    func confirm(_ decision: Decision, record: JournalTicket?, proved: Int64) -> Decision {
        guard decision.isGranted else { return decision }
        let condition = audit.condition(of: record, proof: proved, rules: auditRules)
        return Gatekeeper.confirm(decision, audit: condition, onFailure: auditRules.onFailure)
    }

    /// No grant came of what was taken.
    package func giveBack(_ reservation: consuming LaneReservation, _ admission: Admission) {
        lane.giveBack(reservation)
        access.withdraw(admission)
    }

    /// Lets the person of an outcome through the lane that the grant has taken. False when the relay stayed de-energised.
    package func open(_ reservation: consuming LaneReservation, for outcome: JournalTicket, _ holder: Holder, _ admission: Admission,
              _ request: PhoneRequest, over carrier: Carrier) -> Bool {
        let grant = GrantIdentity(outcome: outcome.sequence, person: admission.person?.bytes ?? [], ticket: admission.ticket)
        // A phone in a pocket stays near after its owner has passed (T9); one that was held to a reader may be heard, too (T7).
        let resting = PhoneCooldown(holder.identifier, isInBackground: carrier == .ble && !request.isForeground)
        let opened = lane.open(reservation, for: grant, resting: resting, at: Instant(milliseconds: MonotonicTime.milliseconds))
        if !opened { access.withdraw(admission) }
        timekeeper.laneChanged()
        return opened
    }

    /// Does what a command says that lets nobody through. False when it could not be done.
    package func run(_ command: LaneCommand, _ reservation: consuming LaneReservation, for outcome: JournalTicket) -> Bool {
        defer { timekeeper.laneChanged() }
        return commands.run(command, reservation, lane: lane, outcome: outcome.sequence)
    }

    /// Shows a denial.
    package func deny(_ decision: Decision, of attempt: Attempt) {
        lane.deny(decision, over: attempt.carrier, attempt.assurance, at: Instant(milliseconds: MonotonicTime.milliseconds))
        timekeeper.laneChanged()
    }

    /// Closes a presentation in which nothing was proved: journal, indicators, events.
    func concludeUnproven(_ reason: Reason, of attempt: Attempt, isShown: Bool = true) {
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        let decision = Gatekeeper.decide(.unproven(reason), on: lane.condition(direction, for: attempt.carrier, at: now), at: now)
        audit.concludeUnproven(reason, of: attempt)
        endReading(attempt)
        if isShown { deny(decision, of: attempt) }
        report(decision, of: attempt, credential: nil, timing: nil)
    }

    /// The conversation with a phone is over; it may be so before a call that hangs comes back.
    package func endReading(_ attempt: Attempt) {
        guard attempt.endReading() else { return }
        lane.endReading(at: Instant(milliseconds: MonotonicTime.milliseconds))
    }

    /// Tells that a presentation has begun, the people at the lane among others.
    func announce(_ attempt: Attempt) {
        lane.beginReading(at: Instant(milliseconds: MonotonicTime.milliseconds))
        events.emit(.started, fields(of: attempt))
    }

    /// Tells how it ended. The credential is named by a few digits only, and nobody by name (O6).
    /// - Parameter command: which one was to be run; nil where nothing was proved.
    package func report(_ decision: Decision, of attempt: Attempt, command: String? = nil, credential: ShortIdentifier?, timing: TapTiming?) {
        let result = decision.isGranted ? "granted" : "denied"
        decisionLog.info("\(result) \(decision.reason.rawValue): lane \(lane.name), reader \(reader), credential \(credential?.description ?? "unknown")")
        events.emit(.result, fields(of: attempt, decision, result, command: command, credential: credential, timing: timing))
    }

    private func fields(of attempt: Attempt, _ decision: Decision, _ result: String, command: String?, credential: ShortIdentifier?,
                        timing: TapTiming?) -> JSONObject {
        var event = fields(of: attempt)
        event["result"] = .string(result)
        event["reason"] = .string(decision.reason.rawValue)
        event["sentence"] = .string(decision.reason.sentence)
        let words = messages(decision.reason)
        if !words.isEmpty { event["shown"] = .object(JSONObject(words.map { ($0.key, .string($0.value)) })) }
        event["rule"] = .string(decision.rule.rawValue)
        if !decision.notes.isEmpty { event["notes"] = .array(decision.notes.map { .string($0.rawValue) }) }
        event["command"] = command.map { .string($0) }
        if let credential { event["credential"] = .string(credential.description) }
        if let retryAfter = decision.retryAfter { event["retryAfter"] = .integer(retryAfter) }
        if let timing { event["timing"] = timing.json }
        return event
    }

    private func fields(of attempt: Attempt) -> JSONObject {
        var fields: JSONObject = ["lane": .string(lane.name), "reader": .string(reader), "carrier": .string(attempt.carrier.rawValue)]
        if let word = attempt.assurance.shown { fields["assurance"] = .string(word) }
        return fields
    }
}
