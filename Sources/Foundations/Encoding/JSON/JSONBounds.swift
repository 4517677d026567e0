/// How much a JSON text may hold before it is refused. What a length in bytes does not bound is memory: an
/// array of a million empty arrays is two megabytes of text and many more of values.
public struct JSONBounds: Hashable, Sendable {
    /// How many arrays and objects may lie inside one another, at most `JSON.maximumDepth`: reading recurses.
    public let depth: Int
    /// How many values there may be in all; the members of objects and the arrays and objects themselves count too.
    public let values: Int

    /// Bounds; a depth beyond `JSON.maximumDepth` is that.
    public init(depth: Int = JSON.maximumDepth, values: Int = .max) {
        self.depth = min(depth, JSON.maximumDepth)
        self.values = values
    }
}
