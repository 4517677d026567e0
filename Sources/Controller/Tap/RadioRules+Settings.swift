import Configuration
import Gate

extension RadioRules {
    /// The rules of a radio, with those of its lanes, as their settings say.
    package init(_ radio: RadioSettings, lanes: [LaneSettings]) {
        let mode: Mode = switch radio.mode {
        case .classic: .classic(lanes: radio.lanes)
        case .onTouch: .onTouch(radio.lanes.compactMap { name in lanes.first { $0.name == name }.map { ProximityRule($0) } })
        }
        self.init(mode: mode, limit: radio.links, conversation: Int64(radio.presentationDeadlineMilliseconds))
    }
}

extension ProximityRule {
    /// How near a phone must come to a lane, as its settings say.
    package init(_ lane: LaneSettings) {
        self.init(lane: lane.name, threshold: lane.carriers.thresholdDBm, window: Int64(lane.carriers.windowMilliseconds))
    }
}

extension CarrierRule {
    /// Whom a lane serves over which carrier, as its settings say.
    package init(_ settings: CarrierSettings) {
        self.init(policy: CarrierPolicy(settings.carriers), requirement: PhoneRequirement(settings.bleRequirement))
    }
}

extension CarrierPolicy {
    /// The policy that an installer wrote down.
    package init(_ setting: CarrierSetting) {
        self = switch setting {
        case .nfcFirst: .nfcFirst
        case .nfcOnly: .nfcOnly
        case .bleOnly: .bleOnly
        case .both: .both
        }
    }
}

extension PhoneRequirement {
    /// What an installer wants phones to say of themselves.
    package init(_ setting: BLERequirement) {
        self = switch setting {
        case .none: .none
        case .foreground: .foreground
        case .unlocked: .unlocked
        }
    }
}
