import Cryptography
import Encoding

/// What a token says. Times are UNIX seconds.
public struct TokenClaims: Hashable, Sendable {
    /// `iss`: the name of the issuer in the site data.
    public var issuer: String
    /// `sub`: the person or account.
    public var subject: String
    /// `aud`: the places, see `Place`; at least one.
    public var audiences: [String]
    /// `nbf`: the first second at which the token is valid.
    public var notBefore: Int64
    /// `exp`: the first second at which it is valid no more.
    public var expiresAt: Int64
    /// `iat`, if told.
    public var issuedAt: Int64?
    /// `cti`: the issuer's own number of the token, 1 to 64 bytes.
    public var cti: [UInt8]
    /// `cnf`: the key that the phone proves to have.
    public var confirmationKey: COSEKey
    /// `scope`: the commands, at least one. A token without the claim has `tokn` alone.
    public var scope: [String]
    /// `uv`: the issuer saw that the key is released only after user verification.
    public var userVerification: Bool

    /// The command of a token that names none.
    public static let defaultCommand = "tokn"

    /// Whether a text is a command that a phone can name (docs/phone-protocol.md): up to 32 bytes without spaces.
    public static func isCommand(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && !text.contains(where: \.isWhitespace) && NameRule.allows(text)
    }

    /// Claims of a token to be issued.
    public init(issuer: String, subject: String, audiences: [String], notBefore: Int64, expiresAt: Int64,
                issuedAt: Int64? = nil, cti: [UInt8], confirmationKey: COSEKey,
                scope: [String] = [TokenClaims.defaultCommand], userVerification: Bool = false) {
        self.issuer = issuer
        self.subject = subject
        self.audiences = audiences
        self.notBefore = notBefore
        self.expiresAt = expiresAt
        self.issuedAt = issuedAt
        self.cti = cti
        self.confirmationKey = confirmationKey
        self.scope = scope
        self.userVerification = userVerification
    }

    /// The claims set. One audience is written as text, several as array; the default scope is left out.
    public var cbor: CBOR {
        var map: CBORMap = [
            ClaimLabel.issuer: .text(issuer), ClaimLabel.subject: .text(subject),
            ClaimLabel.expiresAt: CBOR(expiresAt), ClaimLabel.notBefore: CBOR(notBefore),
            ClaimLabel.identifier: .bytes(cti),
            ClaimLabel.confirmation: .map([ClaimLabel.confirmationKey: confirmationKey.cbor])
        ]
        map[ClaimLabel.audience] = audiences.count == 1 ? .text(audiences[0]) : .array(audiences.map(CBOR.text))
        if let issuedAt { map[ClaimLabel.issuedAt] = CBOR(issuedAt) }
        if scope != [Self.defaultCommand] { map[ClaimLabel.scope] = .text(scope.joined(separator: " ")) }
        if userVerification { map[ClaimLabel.userVerification] = true }
        return .map(map)
    }
}

extension TokenClaims {
    /// The first claim with a name that is none (`NameRule`), by its label, and what is wrong with it.
    var nameFlaw: (label: Int64, flaw: NameFlaw)? {
        if let flaw = NameRule.flaw(in: issuer) { return (1, flaw) }
        if let flaw = NameRule.flaw(in: subject) { return (2, flaw) }
        for audience in audiences { if let flaw = NameRule.flaw(in: audience) { return (3, flaw) } }
        for command in scope { if let flaw = NameRule.flaw(in: command) { return (9, flaw) } }
        return nil
    }
}

extension TokenClaims {
    /// The longest `iss`, `sub`, audience or `scope` in bytes, and the longest `cti`.
    static let longestText = 256
    static let longestIdentifier = 64
    /// The most audiences and the most commands of one token.
    static let mostAudiences = 16
    static let mostCommands = 32

    /// Reads the claims set of a token. Claims that are not known are ignored (RFC 8392, 3).
    init(cbor: CBOR) throws(TokenError) {
        guard let map = cbor.map else { throw .claims }
        issuer = try Self.text(map, ClaimLabel.issuer)
        subject = try Self.text(map, ClaimLabel.subject)
        audiences = try Self.audiences(map)
        expiresAt = try Self.time(map, ClaimLabel.expiresAt)
        notBefore = try Self.time(map, ClaimLabel.notBefore)
        issuedAt = map[ClaimLabel.issuedAt] == nil ? nil : try Self.time(map, ClaimLabel.issuedAt)
        cti = try Self.identifier(map)
        confirmationKey = try Self.confirmationKey(map)
        scope = try Self.scope(map)
        userVerification = try Self.userVerification(map)
    }

    private static func text(_ map: CBORMap, _ label: CBOR) throws(TokenError) -> String {
        // Whoever issued it may have written accents apart: revocations and groups name people in the composed form.
        guard let text = map[label]?.text?.composed, isAcceptable(text) else { throw fault(label) }
        return text
    }

    private static func isAcceptable(_ text: String) -> Bool {
        (1...longestText).contains(text.utf8.count)
    }

    /// Whole seconds; the floats that RFC 8392 allows are not in this profile.
    private static func time(_ map: CBORMap, _ label: CBOR) throws(TokenError) -> Int64 {
        guard let time = map[label]?.integer, time >= 0 else { throw fault(label) }
        return time
    }

    private static func audiences(_ map: CBORMap) throws(TokenError) -> [String] {
        let label = ClaimLabel.audience
        guard let claim = map[label] else { throw fault(label) }
        let texts = claim.array.map { $0.compactMap(\.text) } ?? claim.text.map { [$0] } ?? []
        guard (1...mostAudiences).contains(texts.count), texts.count == claim.array?.count ?? 1,
              texts.allSatisfy(isAcceptable) else { throw fault(label) }
        return texts
    }

    private static func identifier(_ map: CBORMap) throws(TokenError) -> [UInt8] {
        guard let cti = map[ClaimLabel.identifier]?.bytes, (1...longestIdentifier).contains(cti.count) else {
            throw fault(ClaimLabel.identifier)
        }
        return cti
    }

    private static func confirmationKey(_ map: CBORMap) throws(TokenError) -> COSEKey {
        guard let confirmation = map[ClaimLabel.confirmation] else { throw fault(ClaimLabel.confirmation) }
        guard confirmation.map?.count == 1, let key = confirmation[ClaimLabel.confirmationKey] else {
            throw .confirmationKey
        }
        if let y = key[COSEKey.Label.y], y.bytes == nil { throw .confirmationKey }
        do throws(COSEError) { return try COSEKey(cbor: key) } catch { throw .confirmationKey }
    }

    private static func scope(_ map: CBORMap) throws(TokenError) -> [String] {
        let label = ClaimLabel.scope
        guard let claim = map[label] else { return [defaultCommand] }
        guard let text = claim.text, isAcceptable(text) else { throw fault(label) }
        let commands = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard commands.count <= mostCommands, !commands.contains("") else { throw fault(label) }
        return commands
    }

    private static func userVerification(_ map: CBORMap) throws(TokenError) -> Bool {
        guard let claim = map[ClaimLabel.userVerification] else { return false }
        guard let verified = claim.bool else { throw fault(ClaimLabel.userVerification) }
        return verified
    }

    private static func fault(_ label: CBOR) -> TokenError { .claim(label: label.integer ?? 0) }
}
