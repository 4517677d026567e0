import Cryptography

/// A person, told from others without the name: the first 16 bytes of SHA-256 over the subject in UTF-8. Two phones with the
/// same subject are one person.
public struct PersonDigest: Hashable, Sendable {
    /// The bytes of a digest.
    public static let length = 16

    private let high: UInt64
    private let low: UInt64

    /// The person that credentials name `subject`.
    public init(subject: String) {
        let hash = SHA256.hash(Array(subject.utf8))
        high = Self.number(hash[..<8])
        low = Self.number(hash[8..<Self.length])
    }

    /// Reads a digest back; nil if it has not 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        high = Self.number(bytes.prefix(8))
        low = Self.number(bytes.dropFirst(8))
    }

    /// 16 bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        for number in [high, low] {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
