import Cryptography

/// A checkpoint under the signature of the gate's audit key.
public struct SignedCheckpoint: Hashable, Sendable {
    /// The bytes as received.
    public let raw: [UInt8]
    /// What it says.
    public let checkpoint: Checkpoint
    private let seal: AuditSeal

    /// `typ` of the protected header (RFC 9596): no other structure of this profile has it.
    public static let type = "tapstile-checkpoint"
    /// The longest one that is read, in bytes.
    public static let longest = 1024

    /// Reads one in its one form. Whether the signature is good is for `isSigned`.
    public init(parsing raw: [UInt8]) throws(CheckpointError) {
        guard raw.count <= Self.longest, let seal = AuditSeal(parsing: raw, type: Self.type) else { throw .malformed }
        checkpoint = try Checkpoint(payload: seal.payload)
        self.seal = seal
        self.raw = raw
    }

    /// Signs a checkpoint.
    /// - Throws: `unsignable` if it could not be read back.
    public static func sign(_ checkpoint: Checkpoint, key: SigningKey) throws(CheckpointError) -> SignedCheckpoint {
        guard let signed = AuditSeal.sign(checkpoint.payload, type: type, key: key),
              let read = try? SignedCheckpoint(parsing: signed), read.checkpoint == checkpoint
        else { throw .unsignable }
        return read
    }

    /// The thumbprint of the audit key that is said to have signed, 32 bytes.
    public var keyIdentifier: [UInt8] { seal.keyIdentifier }

    /// Whether the holder of this key signed it.
    public func isSigned(by key: PublicKey) -> Bool { seal.isSigned(by: key) }
}
