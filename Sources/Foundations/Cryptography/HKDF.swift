import COpenSSL

/// HKDF with SHA-256 (RFC 5869).
public enum HKDF {
    /// The most bytes `expand` can give (RFC 5869, 2.3).
    public static let longestOutput = 255 * SHA256.length

    /// The pseudorandom key, 32 bytes. An empty salt means 32 zero bytes (RFC 5869, 2.2).
    public static func extract(salt: [UInt8], inputKey: [UInt8]) -> [UInt8] {
        HMACSHA256.authenticate([inputKey], key: salt)
    }

    /// `length` bytes of output key. `length` is chosen by the caller's protocol, never by the
    /// other side, and at most `longestOutput`.
    public static func expand(_ prk: [UInt8], info: [UInt8], length: Int) -> [UInt8] {
        precondition(length >= 0 && length <= longestOutput, "HKDF gives at most 8160 bytes")
        var output: [UInt8] = []
        output.reserveCapacity(length + SHA256.length)
        var block: [UInt8] = []
        var counter: UInt8 = 0
        while output.count < length {
            counter += 1
            block = HMACSHA256.authenticate([block, info, [counter]], key: prk)
            output += block
        }
        output.removeLast(output.count - length)
        return output
    }
}

/// HMAC-SHA-256 (RFC 2104), the base of HKDF.
public enum HMACSHA256 {
    /// The authentication code of the parts of a message joined together, 32 bytes.
    public static func authenticate(_ parts: [[UInt8]], key: [UInt8]) -> [UInt8] {
        guard let context = EVP_MAC_CTX_dup(Algorithms.shared.hmacTemplate) else {
            preconditionFailure("no memory for HMAC")
        }
        defer { EVP_MAC_CTX_free(context) }
        // libcrypto reads a nil key as "the key set before", and there is none: an empty key needs
        // an address of its own.
        start(context, key: key)
        for part in parts where !part.isEmpty {
            check(EVP_MAC_update(context, part, part.count))
        }
        return [UInt8](unsafeUninitializedCapacity: SHA256.length) { code, count in
            check(EVP_MAC_final(context, code.baseAddress, &count, SHA256.length))
        }
    }

    private static func start(_ context: OpaquePointer, key: [UInt8]) {
        if key.isEmpty {
            // RFC 2104 pads the key with zeros, so that one zero byte means the same as no byte.
            check(EVP_MAC_init(context, [0], 1, nil))
        } else {
            check(EVP_MAC_init(context, key, key.count, nil))
        }
    }

    private static func check(_ result: Int32) {
        precondition(result == 1, "HMAC cannot fail on bytes in memory")
    }
}
