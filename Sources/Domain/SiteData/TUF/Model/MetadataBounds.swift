import Encoding

/// How much one file of metadata may hold. Lengths in bytes are the caller's (`UpdateLimits`); these bound
/// memory and the number of signatures that are checked.
enum MetadataBounds {
    /// A snapshot of 50,000 roles has about four values a role.
    static let json = JSONBounds(values: 200_000)
    /// More signatures have no use: a role has at most `keysOfRole` keys, and rotating doubles them.
    static let signatures = 512
    /// Keys that one role may list.
    static let keysOfRole = 256
    /// Keys of one root or of one role that delegates.
    static let keys = 4096
    /// Roles that one role may delegate to.
    static let delegations = 4096
    /// Path patterns of one delegation.
    static let patterns = 4096
    /// Length in bytes of a key's identifier; the usual one, a SHA-256, has 64.
    static let keyIdentifierLength = 128
    /// Length in bytes of a path or of a pattern.
    static let pathLength = 1024
    /// Length in bytes of a role's file name before version and ending; file systems allow 255 in all.
    static let roleFileNameLength = 200
}
