import COpenSSL

/// SHA-256 over bytes that arrive piece by piece. A copy continues on its own.
public struct SHA256Stream: Sendable {
    private var state: DigestState

    /// A hash of nothing so far.
    public init() { state = DigestState(Algorithms.shared.sha256, length: SHA256.length) }

    /// Adds bytes at the end.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds a region of memory at the end.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&state) { state = DigestState(copying: state) }
        state.update(bytes)
    }

    /// The hash of all bytes so far, 32 bytes; the stream itself can go on.
    public func finish() -> [UInt8] {
        DigestState(copying: state).finish()
    }
}

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// Length of a hash in bytes.
    public static let length = 32

    /// The hash of `bytes`, 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { hash($0) }
    }

    /// The hash of a region of memory, 32 bytes.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { digest, count in
            let done = EVP_Digest(bytes.baseAddress, bytes.count, digest.baseAddress, nil,
                                  Algorithms.shared.sha256, nil)
            // Fails only without memory for its context; nobody could go on from a wrong hash.
            precondition(done == 1, "SHA-256 cannot fail on bytes in memory")
            count = length
        }
    }
}
