/// What hardware said of a key.
public struct AttestedKey: Hashable, Sendable {
    /// What keeps the key.
    public let level: SecurityLevel
    /// What the key wants before it signs.
    public let authentication: UserAuthentication
    /// How the phone was started.
    public let boot: BootState
    /// The phone's state of repair, year and month, such as 202602; nil where the hardware does not say.
    public let patchLevel: Int64?

    /// Whether the key signs only after its user was verified: what `uv` of a token says.
    public var isUserVerified: Bool { authentication.isRequired }
}

/// What keeps a key, or what attests it (SecurityLevel of Android's key attestation). Software is taken for none.
public enum SecurityLevel: Int64, Hashable, Sendable {
    case software = 0
    case trustedEnvironment = 1
    case strongBox = 2
}

/// What a key wants before it signs, as hardware holds it.
public enum UserAuthentication: Hashable, Sendable {
    /// Nothing.
    case notRequired
    /// Its user is verified before each signature.
    case everyUse
    /// Its user was verified no more than so many seconds ago.
    case within(seconds: Int64)

    /// Whether the key signs only after its user was verified.
    public var isRequired: Bool {
        switch self {
        case .notRequired: false
        case .everyUse, .within: true
        }
    }
}

/// How a phone was started (VerifiedBootState of Android's key attestation).
public enum BootState: Int64, Hashable, Sendable {
    /// With its maker's software.
    case verified = 0
    /// With software that its owner signed.
    case selfSigned = 1
    /// With any software.
    case unverified = 2
    /// With software that did not pass.
    case failed = 3
}
