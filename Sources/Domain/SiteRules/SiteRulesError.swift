/// Why records are no rules of a site together.
public enum SiteRulesError: Error, Hashable, Sendable {
    /// Two records for one thing.
    case duplicate(what: String, name: String)

    /// A stable code.
    public var code: String { "duplicate-rule" }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .duplicate(let what, let name): "there is a second \(what) '\(name)': keep one of them."
        }
    }
}
