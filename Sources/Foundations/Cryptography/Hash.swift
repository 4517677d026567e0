/// A hash function of SHA-2 (FIPS 180-4).
enum HashFunction {
    case sha256
    case sha512

    /// Length of a hash in bytes.
    var length: Int {
        switch self {
        case .sha256: SHA256.length
        case .sha512: SHA512.length
        }
    }
}

/// SHA-256.
public enum SHA256 {
    /// Length of a hash in bytes.
    public static let length = 32

    /// The hash of `bytes`, 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { hash($0) }
    }

    /// The hash of a region of memory, 32 bytes.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { CryptoLibrary.hash(bytes, by: .sha256) }
}

/// SHA-512.
public enum SHA512 {
    /// Length of a hash in bytes.
    public static let length = 64

    /// The hash of `bytes`, 64 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { CryptoLibrary.hash($0, by: .sha512) }
    }
}

/// A hash over bytes that arrive piece by piece. A copy continues on its own.
public struct HashStream: Sendable {
    private var state: DigestState

    private init(_ function: HashFunction) { state = DigestState(function) }

    /// SHA-256 of nothing so far.
    public static var sha256: HashStream { HashStream(.sha256) }

    /// SHA-512 of nothing so far.
    public static var sha512: HashStream { HashStream(.sha512) }

    /// Adds bytes at the end.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds a region of memory at the end.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&state) { state = DigestState(copying: state) }
        state.update(bytes)
    }

    /// The hash of all bytes so far; the stream itself can go on.
    public func finish() -> [UInt8] {
        DigestState(copying: state).finish()
    }
}
