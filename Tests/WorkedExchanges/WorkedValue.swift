/// One value of a worked exchange, with the name that RFC 9528 or this protocol gives it.
public struct WorkedValue: Hashable, Sendable {
    public let name: String
    /// How it follows from others; empty for one that was chosen or recorded.
    public let rule: String
    public let bytes: [UInt8]
}

/// Values that belong together, in the order in which they can be computed.
public struct WorkedChapter: Hashable, Sendable {
    public let title: String
    public let text: String
    public internal(set) var values: [WorkedValue] = []

    /// Adds a value and gives it back.
    mutating func note(_ name: String, _ rule: String, _ bytes: [UInt8]) -> [UInt8] {
        values.append(WorkedValue(name: name, rule: rule, bytes: bytes))
        return bytes
    }
}
