import Credentials
import Cryptography
import PhoneProtocol

/// The credential that a phone proved, as evidence has it.
public enum ShownCredential: Hashable, Sendable {
    /// A token, by value or from the gate's memory.
    case token(Token)
    /// A token that came beside a claims set.
    case tokenBeside(Token, ConfirmedKeyCredential)
    /// A claims set alone: a key that the site data knew by itself.
    case enrolled(ConfirmedKeyCredential)

    /// Reads it; nil if it is none of this profile.
    public init?(of evidence: TapEvidence) {
        let claims = try? ConfirmedKeyCredential(parsing: evidence.credential)
        if let beside = evidence.accompanyingToken {
            guard let token = try? Token(parsingWithAnyNames: beside), let claims else { return nil }
            self = .tokenBeside(token, claims)
        } else if let token = try? Token(parsingWithAnyNames: evidence.credential) {
            self = .token(token)
        } else if let claims {
            self = .enrolled(claims)
        } else {
            return nil
        }
    }

    /// The key whose holder signed.
    public var key: PublicKey {
        switch self {
        case .token(let token): token.confirmationKey
        case .tokenBeside(_, let claims), .enrolled(let claims): claims.key.key
        }
    }

    /// The token, where there is one.
    public var token: Token? {
        switch self {
        case .token(let token), .tokenBeside(let token, _): token
        case .enrolled: nil
        }
    }

    /// What names it in the journal: the token's identifier or the key's thumbprint.
    public var identifier: [UInt8] { token?.identifier.bytes ?? key.thumbprint }
}
