import Cryptography
import Encoding

/// A CWT claims set with a confirmation key and without a signature (CCS; RFC 8392, RFC 8747), as
/// EDHOC carries static keys (RFC 9528, 3.5.2).
public struct ConfirmedKeyCredential: Hashable, Sendable {
    /// The bytes as received: EDHOC hashes them.
    public let raw: [UInt8]
    /// `sub`, which says nothing about who it is: whatever counts is looked up by the key.
    public let subject: String?
    /// The confirmation key.
    public let key: COSEKey

    /// The longest credential that is read, in bytes.
    public static let longest = 512

    /// Reads a claims set. It comes from others, so that well-formed CBOR is enough; claims other
    /// than `sub` and `cnf` are ignored.
    public init(parsing raw: [UInt8]) throws(COSEError) {
        guard raw.count <= Self.longest else { throw .notAKey }
        let claims: CBOR
        do throws(CBORError) { claims = try CBOR.decode(raw, rules: .wellFormed) } catch { throw .notCBOR(error) }
        try self.init(decoded: claims, raw: raw)
    }

    /// Reads a claims set from an item that was decoded already, and from which bytes.
    public init(decoded claims: CBOR, raw: [UInt8]) throws(COSEError) {
        guard raw.count <= Self.longest else { throw .notAKey }
        guard let key = claims[ClaimLabel.confirmation]?[ClaimLabel.confirmationKey] else { throw .notAKey }
        self.raw = raw
        subject = claims[ClaimLabel.subject]?.text
        self.key = try COSEKey(cbor: key)
    }

    /// A credential for a key, in deterministic CBOR.
    public init(key: COSEKey, subject: String? = nil) {
        var claims: CBORMap = [ClaimLabel.confirmation: .map([ClaimLabel.confirmationKey: key.cbor])]
        if let subject { claims[ClaimLabel.subject] = .text(subject) }
        raw = CBOR.map(claims).encoded
        self.subject = subject
        self.key = key
    }
}
