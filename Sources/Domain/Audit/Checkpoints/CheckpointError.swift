/// Why bytes are no signed checkpoint.
public enum CheckpointError: Error, Hashable, Sendable {
    /// They are something else, or damaged.
    case malformed
    /// A newer program wrote them.
    case versionUnknown
    /// It cannot be signed: the key is no P-256 key, or a name is too long.
    case unsignable

    /// Stable code.
    public var code: String {
        switch self {
        case .malformed: "checkpoint-malformed"
        case .versionUnknown: "checkpoint-version-unknown"
        case .unsignable: "checkpoint-unsignable"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .malformed: "The bytes are not what `tapstile journal checkpoint --out` writes, or they are damaged or cut short."
        case .versionUnknown: "The checkpoint was written by a newer program; use that one to check it."
        case .unsignable: "The checkpoint cannot be signed."
        }
    }
}
