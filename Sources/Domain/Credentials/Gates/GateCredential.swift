import Cryptography

/// The CCS of a gate-group key: what phones receive together with their token, and what the gate
/// proves itself with (CRED_R). Both sides derive the same bytes from the site's name and the key,
/// so that a gate needs no file but its key.
public struct GateCredential: Hashable, Sendable {
    /// `kid`: one byte, because it travels in every message_2. The first byte of the key's
    /// thumbprint (RFC 9679), hence not unique: phones try every gate key they know by it. An authority makes keys
    /// until it has one whose byte travels as an integer (RFC 9528, 3.3.2); keys of earlier versions keep theirs.
    public let keyIdentifier: [UInt8]
    /// The key.
    public let key: PublicKey
    /// The CCS: `{2: site, 8: {1: COSE_Key with kid}}`, deterministic.
    public let claims: [UInt8]

    /// The credential of a gate-group key of `site`.
    public init(site: String, key: PublicKey) {
        self.key = key
        keyIdentifier = Array(key.thumbprint.prefix(1))
        claims = ConfirmedKeyCredential(key: COSEKey(key: key, keyIdentifier: keyIdentifier), subject: site).raw
    }
}
