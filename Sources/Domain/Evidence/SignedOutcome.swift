import Cryptography
import Encoding

/// A gate's own word, under the signature of its audit key, that a record stands in its journal and what it says became of the
/// exchange. Nothing that a gate signs in EDHOC says so: message_2 is signed before anybody is known.
public struct SignedOutcome: Hashable, Sendable {
    /// The bytes as received.
    public let raw: [UInt8]
    /// The site's identifier.
    public let site: String
    /// The gate's identifier.
    public let gate: String
    /// The hash of the record, which covers everything that it says (32 bytes).
    public let recordHash: [UInt8]
    /// TH_4 of the exchange (32 bytes).
    public let transcript: [UInt8]
    /// What became of it, as the record's reason has it.
    public let reason: String
    /// Whether a later record says that the relay could not be driven: granted, and nobody passed by it.
    public let relayFailed: Bool
    private let seal: AuditSeal

    /// `typ` of the protected header (RFC 9596): no other structure of this profile has it.
    public static let type = "tapstile-outcome"
    /// The longest one that is read, in bytes.
    public static let longest = 1024
    private static let format: UInt64 = 1
    private static let hashLength = 32
    /// The longest identifier of a site or gate, and the longest reason, that is read, in bytes.
    private static let longestName = 128

    private enum Label: UInt64, CaseIterable {
        case format = 0, site, gate, recordHash, transcript, reason, relayFailed

        var key: CBOR { .unsigned(rawValue) }
    }

    /// Reads one in its one form; nil for anything else. Whether the signature is good is for `isSigned`.
    public init?(parsing raw: [UInt8]) {
        guard raw.count <= Self.longest, let seal = AuditSeal(parsing: raw, type: Self.type), let map = try? CBOR.decode(seal.payload).map,
              map.count == Label.allCases.count, map[Label.format.key]?.unsignedInteger == Self.format,
              let site = map[Label.site.key]?.text, let gate = map[Label.gate.key]?.text, let reason = map[Label.reason.key]?.text,
              [site, gate, reason].allSatisfy({ $0.utf8.count <= Self.longestName }),
              let hash = map[Label.recordHash.key]?.bytes, let transcript = map[Label.transcript.key]?.bytes,
              [hash, transcript].allSatisfy({ $0.count == Self.hashLength }), let relayFailed = map[Label.relayFailed.key]?.bool
        else { return nil }
        self.raw = raw
        self.site = site
        self.gate = gate
        recordHash = hash
        self.transcript = transcript
        self.reason = reason
        self.relayFailed = relayFailed
        self.seal = seal
    }

    /// Signs it; nil if it could not be read back: the key is no P-256 key, or a name is too long.
    public static func sign(
        site: String, gate: String, recordHash: [UInt8], transcript: [UInt8], reason: String, relayFailed: Bool = false, key: SigningKey
    ) -> SignedOutcome? {
        let payload = CBOR.map(CBORMap([
            (Label.format.key, .unsigned(format)), (Label.site.key, .text(site)), (Label.gate.key, .text(gate)),
            (Label.recordHash.key, .bytes(recordHash)), (Label.transcript.key, .bytes(transcript)), (Label.reason.key, .text(reason)),
            (Label.relayFailed.key, CBOR(relayFailed))
        ])).encoded
        return AuditSeal.sign(payload, type: type, key: key).flatMap { SignedOutcome(parsing: $0) }
    }

    /// The thumbprint of the audit key that is said to have signed, 32 bytes.
    public var keyIdentifier: [UInt8] { seal.keyIdentifier }

    /// Whether the holder of this key signed it.
    public func isSigned(by key: PublicKey) -> Bool { seal.isSigned(by: key) }
}
