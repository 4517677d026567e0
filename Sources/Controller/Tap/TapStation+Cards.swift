import Credentials
import Gate
import Lanes
import PhoneProtocol
import Service
import Storage
import Threads
import Vocabulary

extension TapStation {
    /// What a UID-only card is told of which nothing is known but that it is one: granted where the list is to be asked. Anything else
    /// holds for every card alike, and is told before anybody looks into the list. A number that is on it and one that is not then
    /// differ in nothing outside, so that nobody learns numbers from a lane that opens for none of them.
    package func answerToAnyCard(_ request: PhoneRequest, wantsSecondFactor: Bool, at time: WallTime) -> Decision {
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        return answerToAnyCard(request, wantsSecondFactor: wantsSecondFactor, at: time, now) { lane.condition($0, for: .nfc, at: now) }
    }

    /// The same at a lane that stands so.
    package func answerToAnyCard(_ request: PhoneRequest, wantsSecondFactor: Bool, at time: WallTime, _ now: Instant,
                         _ condition: (Direction) -> LaneCondition) -> Decision {
        let command = command(request, .low, at: time)
        let result = PresentationResult(ofAnyCard: wantsSecondFactor || command?.wantsSecondFactor ?? false, isAllowed: command != nil,
                                        carrier: serves(request, over: .nfc))
        return Gatekeeper.decide(result, on: condition(way(of: command)), at: now)
    }

    private func way(of command: LaneCommand?) -> Direction { command?.action.direction(atReader: direction) ?? direction }

    /// Writes down whose the card was that has been turned away like any other, for the journal alone.
    func writeDown(_ identified: CardIdentification, of attempt: Attempt, shown: Decision, at time: WallTime) {
        switch identified {
        case .stranger(let reason): audit.concludeUnproven(reason, of: attempt)
        case .holder(let holder):
            let decision = verdict(on: holder, shown: shown, at: time)
            let entry = audit.outcome(decision, of: attempt, presentedEvidence: .card(on: lane.name), holder: holder, action: nil, at: JournalTime(time))
            _ = audit.conclude(entry, isGrant: false, rules: auditRules)
        }
    }

    /// What is against the holder comes first, as for everybody; never a grant.
    package func verdict(on holder: Holder, shown: Decision, at time: WallTime) -> Decision {
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        let way = way(of: command(PresentedEvidence.card(on: lane.name).request, .low, at: time))
        let rules = access.byRules(Access.Question(holder: holder, lane: lane.name, direction: way, time: time))
        return switch (holder.result, rules) {
        case (.refused(let reason), _): Gatekeeper.decide(.refused(reason), on: .clear, at: now)
        case (.verified, .refused): Gatekeeper.decide(.verified, access: rules, on: .clear, at: now)
        case (.verified, .allowed): shown
        }
    }
}

/// What somebody has shown who is known.
package enum PresentedEvidence {
    /// A phone's proof.
    case proof(Proof)
    /// A UID-only card, of which there is nothing but its number.
    case card(PhoneRequest)

    /// What is wanted.
    package var request: PhoneRequest {
        switch self {
        case .proof(let proof): proof.claim.request
        case .card(let request): request
        }
    }

    /// How much it takes to show it.
    var assurance: Assurance {
        switch self {
        case .proof: .proven
        case .card: .low
        }
    }

    /// What names the exchange.
    var transcript: [UInt8]? {
        switch self {
        case .proof(let proof): proof.transcript
        case .card: nil
        }
    }

    /// What can be checked again later; a card leaves nothing.
    var evidence: [UInt8] {
        switch self {
        case .proof(let proof): proof.evidence.encoded
        case .card: []
        }
    }

    /// Whoever lays a card on a reader wants to pass, without doing anything else.
    package static func card(on lane: String) -> PresentedEvidence {
        .card(PhoneRequest(carrier: .nfc, lane: lane, namedCommand: UIDOnlyCard.command))
    }
}
