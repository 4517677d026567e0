/// What a line is used for.
public enum LineDirection: Hashable, Sendable {
    /// Driven by us. It is inactive from the first moment on: that is its safe level (L6).
    case output
    /// Read by us.
    case input
}
