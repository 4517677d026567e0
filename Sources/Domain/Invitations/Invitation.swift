/// One invitation: for whom, what for, and what became of it. Times are UNIX seconds.
public struct Invitation: Hashable, Sendable {
    /// Its number at this server.
    public let id: Int64
    /// What was asked for.
    public let wanted: NewInvitation
    /// Until when the code can be redeemed.
    public let opensUntil: Int64
    /// The operator who made it.
    public let madeBy: String
    /// When.
    public let madeAt: Int64
    /// What became of it.
    public let state: InvitationState

    /// An invitation.
    public init(id: Int64, wanted: NewInvitation, opensUntil: Int64, madeBy: String, madeAt: Int64, state: InvitationState) {
        (self.id, self.wanted, self.opensUntil, self.madeBy) = (id, wanted, opensUntil, madeBy)
        (self.madeAt, self.state) = (madeAt, state)
    }

    /// For how long the same key gets the same token again, in seconds: the answer may have been lost.
    public static let repetition: Int64 = 600
}

/// What an operator asks for.
public struct NewInvitation: Hashable, Sendable {
    /// The person or account.
    public var subject: String
    /// The places (`tapstile:SITE/ZONE/LANE`); empty: the whole site.
    public var audiences: [String]
    /// The commands.
    public var scope: [String]
    /// The first second at which a gate opens; nil: at once.
    public var notBefore: Int64?
    /// The first second at which none opens any more, and nothing is renewed.
    public var expires: Int64
    /// The operator's word that the phone releases its key only after user verification.
    public var userVerified: Bool
    /// For how many seconds the code can be redeemed; never beyond `expires`.
    public var opensFor: Int64
    /// For operators.
    public var note: String

    /// Seven days, in seconds.
    public static let usualOpensFor: Int64 = 7 * 86_400

    /// An invitation to be made.
    public init(subject: String, audiences: [String] = [], scope: [String] = ["tokn"], notBefore: Int64? = nil, expires: Int64,
                userVerified: Bool = false, opensFor: Int64 = usualOpensFor, note: String = "") {
        (self.subject, self.audiences, self.scope, self.notBefore) = (subject, audiences, scope, notBefore)
        (self.expires, self.userVerified, self.opensFor, self.note) = (expires, userVerified, opensFor, note)
    }
}

/// Whose an invitation is.
public struct InvitationUse: Hashable, Sendable {
    /// The thumbprint of the key (RFC 9679), 32 bytes.
    public let thumbprint: [UInt8]
    /// When it was redeemed, UNIX seconds.
    public let at: Int64
    /// Whether its tokens say that the key is released only after user verification.
    public let userVerified: Bool

    /// A use.
    public init(thumbprint: [UInt8], at: Int64, userVerified: Bool) {
        self.thumbprint = thumbprint
        self.at = at
        self.userVerified = userVerified
    }
}

/// What became of an invitation.
public enum InvitationState: Hashable, Sendable {
    /// Nobody has redeemed it.
    case open
    /// It was withdrawn before anybody did.
    case withdrawn
    /// A key has it.
    case redeemed(InvitationUse)
    /// A key has it, and gets no tokens for the time being.
    case suspended(InvitationUse)
    /// A key had it.
    case revoked(InvitationUse)

    /// The stable name of a state.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        case open, withdrawn, redeemed, suspended, revoked
    }

    /// Its name.
    public var name: Name {
        switch self {
        case .open: .open
        case .withdrawn: .withdrawn
        case .redeemed: .redeemed
        case .suspended: .suspended
        case .revoked: .revoked
        }
    }

    /// Whose it is or was.
    public var use: InvitationUse? {
        switch self {
        case .open, .withdrawn: nil
        case .redeemed(let use), .suspended(let use), .revoked(let use): use
        }
    }
}
