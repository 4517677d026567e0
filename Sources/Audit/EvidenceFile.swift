import Cryptography
import Encoding

/// The exported proof of one record of a gate's journal: the record as its hash covers it, and the hash of the record
/// before it. One CBOR item, `["tapstile-evidence", 1, previous, record, hash]` (docs/evidence.md).
///
/// Nobody signs the file. What it proves lies in the signatures inside the record, see `EvidenceVerification`.
public struct EvidenceFile: Hashable, Sendable {
    /// Hash of the record before it in the chain, 32 bytes; all zero before the first.
    public let previous: [UInt8]
    /// The record: deterministic CBOR.
    public let record: [UInt8]
    /// SHA-256(previous || record) as the journal has it, 32 bytes.
    public let hash: [UInt8]

    private static let mark = "tapstile-evidence"
    private static let version: Int64 = 1
    private static let hashLength = 32
    /// The longest file that is read, in bytes; a journal takes records of 16,384.
    public static let longest = 20_000

    /// A file for a record of a journal.
    public init(previous: [UInt8], record: [UInt8], hash: [UInt8]) {
        self.previous = previous
        self.record = record
        self.hash = hash
    }

    /// The file's bytes.
    public var encoded: [UInt8] {
        CBOR.array([.text(Self.mark), CBOR(Self.version), .bytes(previous), .bytes(record), .bytes(hash)]).encoded
    }

    /// Reads a file. Nothing in it is checked but its form.
    public init(parsing bytes: [UInt8]) throws(EvidenceFileError) {
        guard bytes.count <= Self.longest, let items = try? CBOR.decode(bytes).array, items.count >= 2,
              items[0].text == Self.mark, let version = items[1].integer else { throw .malformed }
        guard version == Self.version else { throw .versionUnknown }
        guard items.count == 5, let previous = items[2].bytes, previous.count == Self.hashLength,
              let record = items[3].bytes, let hash = items[4].bytes, hash.count == Self.hashLength
        else { throw .malformed }
        self.init(previous: previous, record: record, hash: hash)
    }

    /// The hash that follows from the other two.
    public var computedHash: [UInt8] { SHA256.hash(previous + record) }
}
