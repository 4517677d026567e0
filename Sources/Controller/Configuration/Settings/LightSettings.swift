/// `[lane.lights.LIGHT]`: each light is optional.
public struct LightSettings: Hashable, Sendable {
    private var outputs: [Light: OutputSettings] = [:]

    public init() {}

    /// The line of a light, nil when there is none.
    public subscript(light: Light) -> OutputSettings? {
        get { outputs[light] }
        set { outputs[light] = newValue }
    }
}
