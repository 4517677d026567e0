import Cryptography
import Encoding

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
