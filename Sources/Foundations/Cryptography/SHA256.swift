import COpenSSL

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
