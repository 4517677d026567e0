/// What somebody gains or loses by a list.
public struct RightsChange: Hashable, Sendable {
    /// The person or account.
    public let subject: String
    /// By what: `key 0011223344556677`, `card 04a1b2c3d4e5f6`, `group staff`.
    public let holding: String
    /// What it is, in words; empty: all of it.
    public let what: [String]

    /// The same in one line.
    public var description: String { "\(subject): \(holding)" + (what.isEmpty ? "" : ": \(what.joined(separator: "; "))") }
}

/// Some of many changes, and how many there are.
public struct RightsChanges: Hashable, Sendable {
    /// The first ones.
    public private(set) var first: [RightsChange] = []
    /// How many there are in all.
    public private(set) var count = 0

    /// So many are told.
    public static let most = 1_000

    mutating func note(_ change: RightsChange) {
        count += 1
        if first.count < Self.most { first.append(change) }
    }
}
