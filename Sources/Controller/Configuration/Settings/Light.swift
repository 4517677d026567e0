/// What can be wired at a lane for people to see or hear.
public enum Light: String, Sendable, CaseIterable {
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

    /// Indicators: each is on while the lane shows the signal of its name.
    public static let indicators: [Light] = [.ready, .granted, .denied, .fault]
    /// What patterns are played on.
    public static let lamps: [Light] = [.red, .green, .blue, .buzzer]
}

/// `[lane.indicators.LIGHT]`: each light is optional.
public struct LightSettings: Hashable, Sendable {
    private var outputs: [Light: OutputSettings] = [:]

    public init() {}

    /// The line of a light, nil when there is none.
    public subscript(light: Light) -> OutputSettings? {
        get { outputs[light] }
        set { outputs[light] = newValue }
    }
}
