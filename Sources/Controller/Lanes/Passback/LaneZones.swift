/// The zones on both sides of a lane; nil is outside.
package struct LaneZones: Equatable, Sendable {
    /// Where it leads inwards.
    package let inner: String?
    /// What lies before it.
    package let outer: String?

    package init(inner: String?, outer: String?) {
        self.inner = inner
        self.outer = outer
    }
}
