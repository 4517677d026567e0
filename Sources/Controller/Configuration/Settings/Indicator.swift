/// What can be wired at a lane for people to see or hear.
public enum Indicator: String, Sendable, CaseIterable {
    /// The lane waits for a phone.
    case ready
    /// Pass.
    case granted
    /// No.
    case denied
    /// The lane is out of order.
    case fault
    case red
    case green
    case blue
    case buzzer

    /// Steady: each is on while the lane shows the signal of its name.
    public static let steady: [Indicator] = [.ready, .granted, .denied, .fault]
    /// What patterns are played on.
    public static let lamps: [Indicator] = [.red, .green, .blue, .buzzer]
}

/// `[lane.indicators.NAME]`: each indicator is optional.
public struct IndicatorSettings: Hashable, Sendable {
    private var outputs: [Indicator: OutputSettings] = [:]

    public init() {}

    /// The line of an indicator, nil when there is none.
    public subscript(indicator: Indicator) -> OutputSettings? {
        get { outputs[indicator] }
        set { outputs[indicator] = newValue }
    }
}
