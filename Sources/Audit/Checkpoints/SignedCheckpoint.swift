import Credentials
import Cryptography
import Encoding

/// A checkpoint under the signature of the gate's audit key: an untagged COSE_Sign1 (RFC 9052, 4.2) with ES256. It has
/// one form only: type and key identifier are protected, nothing is unprotected.
public struct SignedCheckpoint: Hashable, Sendable {
    /// The bytes as received.
    public let raw: [UInt8]
    /// What it says.
    public let checkpoint: Checkpoint
    /// The thumbprint of the audit key that is said to have signed, 32 bytes.
    public let keyIdentifier: [UInt8]
    private let toBeSigned: [UInt8]
    private let signature: [UInt8]

    /// `typ` of the protected header (RFC 9596): no other structure of this profile has it.
    public static let type = "tapstile-checkpoint"
    /// The longest one that is read, in bytes.
    public static let longest = 1024

    /// Reads one in its one form. Whether the signature is good is for `isSigned`.
    public init(parsing raw: [UInt8]) throws(CheckpointError) {
        guard raw.count <= Self.longest, let signed = try? COSESign1(parsing: raw),
              let identifier = signed.protected[COSEHeader.keyIdentifier]?.bytes, identifier.count == ChainExtent.hashLength,
              signed.protected == Self.header(identifier), signed.unprotected.isEmpty,
              signed.signature.count == SignatureAlgorithm.signatureLength
        else { throw .malformed }
        checkpoint = try Checkpoint(payload: signed.payload)
        keyIdentifier = identifier
        toBeSigned = signed.toBeSigned()
        signature = signed.signature
        self.raw = raw
    }

    /// Signs a checkpoint.
    /// - Throws: `unsignable` if it could not be read back.
    public static func sign(_ checkpoint: Checkpoint, key: SigningKey) throws(CheckpointError) -> SignedCheckpoint {
        guard key.algorithm == .es256,
              let signed = try? COSESign1.sign(
                payload: checkpoint.payload, protected: header(key.publicKey.thumbprint), key: key),
              let read = try? SignedCheckpoint(parsing: signed.encoded), read.checkpoint == checkpoint
        else { throw .unsignable }
        return read
    }

    /// Whether the holder of this key signed it.
    public func isSigned(by key: PublicKey) -> Bool {
        keyIdentifier == key.thumbprint && key.verify(signature, over: toBeSigned)
    }

    private static func header(_ identifier: [UInt8]) -> CBORMap {
        [COSEHeader.algorithm: CBOR(SignatureAlgorithm.es256.rawValue), COSEHeader.keyIdentifier: .bytes(identifier),
         COSEHeader.type: .text(type)]
    }
}
