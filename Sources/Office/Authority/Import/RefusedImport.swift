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
