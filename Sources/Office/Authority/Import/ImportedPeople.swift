/// What an import has done, or would do.
public struct ImportedPeople: Hashable, Sendable {
    /// Lines with people.
    public internal(set) var lines = 0
    /// Keys and cards that were not there.
    public internal(set) var added = 0
    /// Keys and cards of which something else was known.
    public internal(set) var changed = 0
    /// Keys and cards that were there like this, or not there and to be removed.
    public internal(set) var unchanged = 0
    /// Keys and cards that are there no more.
    public internal(set) var removed = 0
    /// People who belong to a group now.
    public internal(set) var joined = 0
    /// People who belong to a group no more.
    public internal(set) var left = 0
    /// Groups of which no rule speaks: they open nothing, and may be spelled wrong.
    public internal(set) var unusedGroups: [String] = []
    /// Who gains what.
    public internal(set) var gains = RightsChanges()
    /// Who loses what.
    public internal(set) var losses = RightsChanges()
    /// What was taken and is hardly meant: the first ones.
    public private(set) var warnings: [ImportIssue] = []
    /// How many of these there are in all.
    public private(set) var warningCount = 0

    /// Keys and cards that were not taken, for they are revoked, or whose they are.
    public private(set) var leftOut = 0

    mutating func leaveOut(_ issue: ImportIssue) {
        leftOut += 1
        warn(issue)
    }

    /// Key and card of one line have the same mistakes.
    mutating func warn(_ issue: ImportIssue) {
        if warnings.last == issue { return }
        warningCount += 1
        if warnings.count < RefusedImport.most { warnings.append(issue) }
    }

    /// Whether there is anything that gates have to be told.
    public var hasChanges: Bool { added + changed + removed + joined + left > 0 }
}

/// A list of people that was not taken: everything that is wrong with it, or as much as is told.
public struct RefusedImport: Error, Hashable, Sendable {
    /// The file.
    public let path: String
    /// The first ones, in the order of the file.
    public let issues: [ImportIssue]
    /// How many there are in all.
    public let count: Int

    /// A list with mistakes.
    public init(path: String, issues: [ImportIssue], count: Int) {
        self.path = path
        self.issues = issues
        self.count = count
    }

    /// So many are told.
    public static let most = 1_000

    /// One English sentence for people.
    var message: String { "\(path) has \(count) error\(count == 1 ? "" : "s"); nothing of it was taken." }

    /// One line for each.
    var details: [String] { issues.map { "\(path):\($0)" } + (count > issues.count ? ["And \(count - issues.count) more."] : []) }
}
