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
    public static func authenticate(_ parts: [[UInt8]], key: [UInt8]) -> [UInt8] { CryptoLibrary.hmacSHA256(parts, key: key) }
}
