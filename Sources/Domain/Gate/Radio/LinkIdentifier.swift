/// One connection of one phone to one radio; never used again for another.
public struct LinkIdentifier: Hashable, Comparable, Sendable {
    /// The number.
    public let value: UInt64

    /// The connection of that number.
    public init(_ value: UInt64) {
        self.value = value
    }

    public static func < (left: LinkIdentifier, right: LinkIdentifier) -> Bool {
        left.value < right.value
    }
}
