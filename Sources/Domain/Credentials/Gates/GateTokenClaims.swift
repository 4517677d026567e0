import Cryptography
import Encoding

/// What a gate token says. Times are UNIX seconds.
public struct GateTokenClaims: Hashable, Sendable {
    /// `iss`: the name of the gate issuer.
    public var issuer: String
    /// `sub`: the site whose gate the holder of the key is.
    public var site: String
    /// `nbf`: the first second at which the token is valid.
    public var notBefore: Int64
    /// `exp`: the first second at which it is valid no more.
    public var expiresAt: Int64
    /// `cti`: the issuer's own number of the token, 1 to 64 bytes.
    public var cti: [UInt8]
    /// `cnf`: the gate's key. It tells what it is for.
    public var confirmationKey: COSEKey

    /// Claims of a gate token to be issued.
    public init(issuer: String, site: String, notBefore: Int64, expiresAt: Int64, cti: [UInt8], confirmationKey: COSEKey) {
        self.issuer = issuer
        self.site = site
        self.notBefore = notBefore
        self.expiresAt = expiresAt
        self.cti = cti
        self.confirmationKey = confirmationKey
    }

    /// The claims set.
    var cbor: CBOR {
        .map([ClaimLabel.issuer: .text(issuer), ClaimLabel.subject: .text(site), ClaimLabel.expiresAt: CBOR(expiresAt),
              ClaimLabel.notBefore: CBOR(notBefore), ClaimLabel.identifier: .bytes(cti),
              ClaimLabel.confirmation: .map([ClaimLabel.confirmationKey: confirmationKey.cbor])])
    }

    /// Reads the claims set: these six claims and no other, so that nothing which would say more (an audience, a
    /// scope) makes a person's token of it.
    init(cbor: CBOR) throws(GateTokenError) {
        guard let map = cbor.map, map.count == 6 else { throw .claims }
        issuer = try Self.text(map, ClaimLabel.issuer)
        site = try Self.text(map, ClaimLabel.subject)
        notBefore = try Self.time(map, ClaimLabel.notBefore)
        expiresAt = try Self.time(map, ClaimLabel.expiresAt)
        guard let cti = map[ClaimLabel.identifier]?.bytes, (1...TokenClaims.longestIdentifier).contains(cti.count) else {
            throw .claims
        }
        self.cti = cti
        guard let confirmation = map[ClaimLabel.confirmation], confirmation.map?.count == 1,
              let item = confirmation[ClaimLabel.confirmationKey], let key = try? COSEKey(cbor: item),
              key.use != nil else { throw .confirmationKey }
        confirmationKey = key
        guard notBefore < expiresAt else { throw .claims }
    }

    private static func text(_ map: CBORMap, _ label: CBOR) throws(GateTokenError) -> String {
        guard let text = map[label]?.text, (1...TokenClaims.longestText).contains(text.utf8.count), NameRule.allows(text) else { throw .claims }
        return text
    }

    private static func time(_ map: CBORMap, _ label: CBOR) throws(GateTokenError) -> Int64 {
        guard let time = map[label]?.integer, time >= 0 else { throw .claims }
        return time
    }
}
