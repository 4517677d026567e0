import Configuration

/// A site's file that cannot be used: everything that is wrong with it and with the files that it names.
public struct InvalidSiteFile: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one error; warnings among them.
    public let issues: [ConfigurationIssue]

    /// Stable code for operators.
    public var code: String { "site-file-invalid" }

    /// A sentence for people.
    public var message: String {
        let errors = issues.filter { $0.severity == .error }.count
        return "The site's file has \(errors) error\(errors == 1 ? "" : "s")."
    }

    /// One issue a line.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}
