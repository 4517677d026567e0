import Credentials
import Gate
import PhoneProtocol
import Service
import Tap
import Vocabulary

/// Judges what a tap at one reader, or over one radio, would come to, by the very rules of a tap. Nobody is let through and nothing changes.
struct Foresight: Sendable {
    /// The station, at which nobody is awaited.
    let station: TapStation
    /// What is shown.
    let credential: AskedCredential
    /// The command that is wanted; nil: the default one.
    let command: String?
    /// Whether records are lost at this moment.
    let isJournalFailing: Bool

    init(_ station: TapStation, _ credential: AskedCredential, command: String?, isJournalFailing: Bool) {
        var station = station
        station.access = station.access.looking
        self.station = station
        self.credential = credential
        self.command = command
        self.isJournalFailing = isJournalFailing
    }

    /// Over what it comes.
    var carrier: Carrier { station.offer.context.carrier }

    /// What a phone asks for whose owner does all that an owner can do: started by hand where that is served, unlocked, the app in front.
    var request: PhoneRequest {
        PhoneRequest(carrier: carrier, lane: station.lane.name, namedCommand: command, trigger: station.isManual ? .manual : .automatic,
                     isForeground: true, isUnlocked: true)
    }

    /// Whose the credential is at that moment, and what is against it.
    func holder(at moment: ForeseenMoment) -> Holder {
        credential.holder(by: station.identifier, moment.time.reading, ahead: moment.ahead, command: request.command)
    }

    /// What a tap would come to.
    func decision(at moment: ForeseenMoment) -> Decision {
        let decision = switch credential {
        case .card: judgeCard(holder(at: moment), at: moment)
        case .key, .token, .unseenToken: judge(request, .proven, holder(at: moment), at: moment)
        }
        return Gatekeeper.confirm(decision, audit: isJournalFailing ? .attemptNotDurable : .durable, onFailure: station.auditRules.onFailure)
    }

    /// In the steps of `TapTransaction`: what holds for every card comes first.
    private func judgeCard(_ holder: Holder, at moment: ForeseenMoment) -> Decision {
        let now = moment.instant
        guard station.acceptsUIDOnlyCards else { return Gatekeeper.decide(.unproven(.uidOnlyCardsOff), on: .clear, at: now) }
        guard request.command == UIDOnlyCard.command else { return Gatekeeper.decide(.refused(.scopeLacksCommand), on: .clear, at: now) }
        let request = PresentedEvidence.card(on: station.lane.name).request
        let answer = station.answerToAnyCard(request, wantsSecondFactor: station.wantsSecondFactor(at: moment.time), at: moment.time, now) {
            moment.lane.condition($0, for: .nfc, at: now)
        }
        return answer.isGranted ? judge(request, .low, holder, at: moment) : station.verdict(on: holder, shown: answer, at: moment.time)
    }

    private func judge(_ request: PhoneRequest, _ assurance: Assurance, _ holder: Holder, at moment: ForeseenMoment) -> Decision {
        let (command, result) = station.judge(request, assurance, of: holder, wantsSecondFactor: station.wantsSecondFactor(at: moment.time),
                                              over: carrier, at: moment.time)
        let action = command?.action ?? .pass
        let admission = station.admit(result, action, holder, at: moment.time)
        let isWanted = Gatekeeper.wouldGrant(result, access: admission.judgement)
        let condition = isWanted && !action.isPassage
            ? moment.lane.condition(for: action, over: carrier, at: moment.instant)
            : moment.lane.condition(action.direction(atReader: station.direction), for: carrier,
                                    credential: carrier == .ble ? holder.identifier : nil, at: moment.instant)
        return Gatekeeper.decide(result, access: admission.judgement, on: condition, at: moment.instant)
    }
}
