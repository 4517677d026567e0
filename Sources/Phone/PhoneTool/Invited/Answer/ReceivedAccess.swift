import Credentials
import Cryptography
import Encoding

/// What a server gave for a code or for an earlier token, judged: nothing else is kept.
public struct ReceivedAccess: Hashable, Sendable {
    /// For whom, how long, and what to show people.
    public let terms: AccessTerms
    /// The token, for the phone's own key.
    public let token: Token
    /// The bytes of `gates.phone`, all of one site.
    public let gates: [UInt8]

    private static let mostGates = 256

    /// Reads an answer and judges it.
    /// - Parameters:
    ///   - key: the phone's, which the token must name and no gate may have.
    ///   - site: the one that was spoken of before; nil where none was.
    ///   - now: UNIX seconds.
    public init(_ object: JSONObject, for key: PublicKey, of site: String?, at now: Int64) throws(InvitedFault) {
        terms = try AccessTerms(object)
        guard site == nil || site == terms.site else { throw .answer(.otherSite) }
        token = try Self.token(object)
        guard token.confirmationKey == key else { throw .answer(.otherKey) }
        guard token.confirmationKeyUse != .agree else { throw .answer(.malformed("the use of the token's key")) }
        guard token.subject == terms.subject, token.expiresAt == terms.expires, token.notBefore == terms.notBefore,
              token.userVerification == terms.userVerified else { throw .answer(.malformed("what the token says")) }
        guard token.expiresAt > now else { throw .answer(.over) }
        gates = try Self.bytes(object, "gates", most: ServerAnswer.mostBytes)
        try Self.checkGates(gates, of: terms.site, beside: key)
    }

    private static func token(_ object: JSONObject) throws(InvitedFault) -> Token {
        let bytes = try bytes(object, "token", most: Token.longest)
        do throws(TokenError) { return try Token(parsing: bytes) } catch { throw .answer(.malformed("token (\(error.code))")) }
    }

    private static func bytes(_ object: JSONObject, _ member: String, most: Int) throws(InvitedFault) -> [UInt8] {
        guard let text = object[member]?.string, let bytes = try? Base64.decode(text, .url), (1...most).contains(bytes.count) else {
            throw .answer(.malformed(member))
        }
        return bytes
    }

    /// A gate with the phone's own key would be the phone itself.
    private static func checkGates(_ bytes: [UInt8], of site: String, beside key: PublicKey) throws(InvitedFault) {
        guard let entries = GateListEntry.list(parsing: bytes), (1...mostGates).contains(entries.count) else { throw .answer(.malformed("gates")) }
        for entry in entries {
            let (named, gate): (String?, PublicKey) = switch entry {
            case .credential(let credential): (credential.subject, credential.key.key)
            case .issuer(let issuer): (issuer.site, issuer.key)
            }
            guard named == site else { throw .answer(.otherSite) }
            guard gate != key else { throw .answer(.malformed("a gate of another key")) }
        }
    }
}
