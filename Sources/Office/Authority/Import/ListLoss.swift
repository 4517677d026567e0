import Storage

/// How much goes by a list: who exports one may have exported nothing, or the people of another house.
public struct ListLoss: Hashable, Sendable {
    /// Keys, cards and memberships that go, or give less.
    public let count: Int
    /// How many there were.
    public let total: Int

    /// A share of what is there.
    public init(count: Int, total: Int) { (self.count, self.total) = (count, total) }

    /// More than so many percent are asked about where nobody says another number.
    public static let usualPercent = 20
    /// Fewer are what a day brings.
    private static let fewest = 10

    /// - Parameter percent: so many may go; nil: any number.
    func refuse(above percent: Int?) throws(AuthorityError) {
        if let percent, isAbove(percent) { throw .tooMuchLost(self) }
    }

    func isAbove(_ percent: Int) -> Bool { count >= Self.fewest && count * 100 > total * percent }
}

extension AuthorityDatabase {
    /// How many keys and cards there are, and memberships that a list has brought.
    func countHoldings() throws(AuthorityError) -> Int {
        try singleNumber("""
            SELECT (SELECT count(*) FROM enrolled) + (SELECT count(*) FROM plain_card)
                + (SELECT count(*) FROM membership WHERE source & \(MembershipSource.command.rawValue) > 0)
            """)
    }

    /// The one number that a query answers.
    func singleNumber(_ sql: String) throws(AuthorityError) -> Int {
        let query = try prepare(sql)
        defer { query.reset() }
        return try query.next() ? Int(clamping: query.integer(0)) : 0
    }
}
