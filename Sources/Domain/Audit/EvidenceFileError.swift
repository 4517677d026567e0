/// Why bytes are no evidence file.
public enum EvidenceFileError: Error, Hashable, Sendable {
    /// They are something else, or damaged.
    case malformed
    /// A newer program wrote them.
    case versionUnknown

    /// Stable code.
    public var code: String {
        switch self {
        case .malformed: "evidence-malformed"
        case .versionUnknown: "evidence-version-unknown"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .malformed: "The file is not what `tapstile journal export-evidence` writes, or it is damaged."
        case .versionUnknown: "The file was written by a newer program; use that one to check it."
        }
    }
}
