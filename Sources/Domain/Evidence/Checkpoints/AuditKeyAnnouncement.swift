import Credentials
import Cryptography
import Encoding

/// How a journal names the keys that sign its checkpoints, so that an auditor sees when they changed.
public enum AuditKeyAnnouncement {
    /// The reason of the record.
    public static let reason = "audit-key"

    /// The bytes that stand for a key under `key` in the record's details: a COSE_Key.
    public static func bytes(of key: PublicKey) -> [UInt8] { COSEKey(key: key, use: .sign).cbor.encoded }

    /// The key that the bytes stand for; nil if they are none that signs checkpoints.
    public static func key(in bytes: [UInt8]) -> PublicKey? {
        guard let item = try? CBOR.decode(bytes), let key = try? COSEKey(cbor: item), key.use == .sign, key.key.curve == .p256 else { return nil }
        return key.key
    }
}
