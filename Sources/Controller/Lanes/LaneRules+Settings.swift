import Configuration
import Gate

extension LaneRules {
    /// The rules of a lane as its settings say.
    package init(_ settings: LaneSettings) {
        self.init(pulse: Int64(settings.relay.pulseMilliseconds),
                  cooldownAfterSuccess: Int64(settings.cooldownSuccessMilliseconds),
                  cooldownAfterFailure: Int64(settings.cooldownFailureMilliseconds),
                  auditOnFailure: settings.auditOnFailure)
        hold = Hold(settings.relay.hold)
        hasRelayOut = settings.relayOut != nil
        pulseOut = settings.relayOut.map { Int64($0.pulseMilliseconds) } ?? pulse
        holdOut = settings.relayOut.map { Hold($0.hold) } ?? hold
        apply(settings.passage)
        inputs = Set(settings.inputs.all.compactMap { InputKind(rawValue: StoredWord.stored($0.name.rawValue)) })
        if let mode = settings.inputs[.modeSwitch]?.mode { switchMode = mode }
    }

    private mutating func apply(_ settings: PassageSettings) {
        passageWait = Int64(settings.waitMilliseconds)
        heldAfter = Int64(settings.heldAfterMilliseconds)
        alarmTime = Int64(settings.alarmMilliseconds)
        onFire = switch settings.onFire {
        case .out: .release(.out)
        case .in: .release(.in)
        case .stay: .stay
        case nil: .release(hasRelayOut ? .out : .in)
        }
        releasesOnFireFault = settings.onFireLineFault == .release
        requestToExitWhenLocked = settings.requestToExitWhenLocked
        freePassage = settings.freePassage
        backgroundCooldown = Int64(settings.bleBackgroundCooldownMilliseconds)
    }
}

extension LaneRules.Hold {
    package init(_ hold: RelayHold) {
        self = switch hold {
        case .pulse: .pulse
        case .untilPassage: .untilPassage
        }
    }
}

extension SecondFactorRule {
    /// The rule that an installer wrote down for a lane. `scheduled` without a name does not pass the check of the
    /// configuration; it would want a second factor always.
    package init(_ settings: LaneSettings) {
        self = switch settings.secondFactor {
        case .never: .never
        case .always: .always
        case .scheduled: settings.secondFactorSchedule.map { .scheduled($0) } ?? .always
        }
    }
}
