/// Two layers of lights: the permanent one says how the lane is, the temporary one what has just
/// happened. The temporary layer covers the permanent one until its time is over (L2).
public struct LightLayers: Equatable, Sendable {
    private var permanent: Light
    private var temporary: Temporary?

    private struct Temporary: Equatable, Sendable {
        let light: Light
        let ends: Instant
    }

    /// Layers that show `permanent` and nothing else.
    public init(permanent: Light) {
        self.permanent = permanent
    }

    /// The light people see.
    public var shown: Light {
        temporary?.light ?? permanent
    }

    /// When the temporary layer ends, if there is one.
    public var ends: Instant? {
        temporary?.ends
    }

    /// Sets the permanent layer; what covers it stays.
    public mutating func setPermanent(_ light: Light) {
        permanent = light
    }

    /// Covers the permanent layer with `light` until `ends`.
    public mutating func show(_ light: Light, until ends: Instant) {
        temporary = Temporary(light: light, ends: ends)
    }

    /// Takes the temporary layer away at once.
    public mutating func endTemporary() {
        temporary = nil
    }

    /// Takes the temporary layer away once its time is over.
    public mutating func advance(to now: Instant) {
        if let over = temporary?.ends, over <= now { temporary = nil }
    }
}
