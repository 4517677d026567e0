/// A configuration that cannot be used: everything that is wrong with it, in the order of the text.
public struct InvalidConfiguration: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one error; warnings among them.
    public let issues: [ConfigurationIssue]

    public init(issues: [ConfigurationIssue]) { self.issues = issues }

    /// Stable code for operators.
    public var code: String { "configuration-invalid" }

    /// A sentence for people.
    public var message: String {
        let errors = issues.filter { $0.severity == .error }.count
        return "The configuration has \(errors) error\(errors == 1 ? "" : "s")."
    }

    /// One issue a line.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}
