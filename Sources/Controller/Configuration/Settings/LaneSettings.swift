import Vocabulary

/// `[[lane]]`
public struct LaneSettings: Hashable, Sendable {
    /// The lane's name towards phones, in tokens' audiences and in the journal. 1–32 letters, digits, `.`, `_`, `-`.
    public var name: String
    /// The zone it leads into, if audiences speak of zones.
    public var zone: String?
    /// The zone that lies before it; nil: none.
    public var fromZone: String?
    /// EDHOC methods offered here, in the order of preference (RFC 9528, 3.2): 0–3.
    public var methods: [Int]
    /// EDHOC cipher suites accepted here (RFC 9528, 3.6), the preferred one first: 2, 3, 5, 6.
    public var suites: [Int]
    /// T7: pause after a success, counted from the relay. Milliseconds, 0 switches it off.
    public var cooldownSuccessMilliseconds: Int
    /// T8: pause after a failure. Milliseconds, 0 switches it off.
    public var cooldownFailureMilliseconds: Int
    /// V6: when only keys that are released after user verification open.
    public var secondFactor: SecondFactorSetting
    /// The schedule that `scheduled` means.
    public var secondFactorSchedule: String?
    /// The audit policy of this lane; that of `[audit]` unless the lane has its own.
    public var auditOnFailure: AuditFailurePolicy
    /// V8: whether UID-only cards of the site data open it.
    public var uidOnlyCards = false
    public var relay: RelaySettings
    /// `[lane.relay-out]`: opens outwards; nil where one relay opens both ways.
    public var relayOut: RelaySettings?
    /// What it does about passages, and what overrides its rules.
    public var passage = PassageSettings()
    /// Over which carriers it serves phones, and which of them over BLE.
    public var carriers = CarrierSettings()
    /// `[lane.inputs]`
    public var inputs = InputsSettings()
    /// `[[lane.output]]`
    public var lineOutputs: [LineOutputSettings] = []
    /// `[[lane.command]]`; without any, `tokn` lets one person through.
    public var commands: [CommandSettings] = []
    public var indicators: IndicatorSettings

    public init(name: String, zone: String?, methods: [Int], suites: [Int], cooldownSuccessMilliseconds: Int,
                cooldownFailureMilliseconds: Int, secondFactor: SecondFactorSetting, secondFactorSchedule: String?,
                auditOnFailure: AuditFailurePolicy, relay: RelaySettings, indicators: IndicatorSettings) {
        self.name = name
        self.zone = zone
        self.methods = methods
        self.suites = suites
        self.cooldownSuccessMilliseconds = cooldownSuccessMilliseconds
        self.cooldownFailureMilliseconds = cooldownFailureMilliseconds
        self.secondFactor = secondFactor
        self.secondFactorSchedule = secondFactorSchedule
        self.auditOnFailure = auditOnFailure
        self.relay = relay
        self.indicators = indicators
    }

    /// Every line of the lane that the gate itself drives: `relay`, `relay-out`, then indicators where there are any. The
    /// lines that operators switch are in `lineOutputs`.
    public var outputs: [(purpose: String, output: OutputSettings)] {
        [("relay", relay.output)] + (relayOut.map { [("relay-out", $0.output)] } ?? [])
            + Indicator.allCases.compactMap { indicator in indicators[indicator].map { (indicator.rawValue, $0) } }
    }
}

/// When a lane grants only on keys that are released after user verification (V6).
public enum SecondFactorSetting: String, Hashable, Sendable, CaseIterable {
    case never
    case always
    /// While a schedule of the site data is in force.
    case scheduled
}

/// `[[lane.output]]`: a line that operators switch.
public struct LineOutputSettings: Hashable, Sendable {
    /// Its name for `tapstile lane LANE toggle`. Names differ within a lane. 1–32 letters, digits, `.`, `_`, `-`.
    public var name: String
    public var output: OutputSettings
    /// After a restart it is as it was; else it is off.
    public var restore: Bool

    public init(name: String, output: OutputSettings, restore: Bool) {
        self.name = name
        self.output = output
        self.restore = restore
    }
}

/// `[lane.relay]`
public struct RelaySettings: Hashable, Sendable {
    public var output: OutputSettings
    /// L1: how long the relay is energised. Milliseconds.
    public var pulseMilliseconds: Int

    /// Whether it is held until the passage begins, at the latest until nobody waits for it any more.
    public var hold: RelayHold

    public init(output: OutputSettings, pulseMilliseconds: Int, hold: RelayHold = .pulse) {
        self.output = output
        self.pulseMilliseconds = pulseMilliseconds
        self.hold = hold
    }
}

/// L1: how long a relay is energised.
public enum RelayHold: String, Hashable, Sendable, CaseIterable {
    case pulse
    case untilPassage = "until-passage"
}
