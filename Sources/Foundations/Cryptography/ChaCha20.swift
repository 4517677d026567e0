/// The key stream of ChaCha20 (RFC 8439, 2.4), from the first block on and with a nonce of zeros: for whoever uses each key once, to
/// make many bytes of few.
public enum ChaCha20 {
    /// The bytes of a key.
    public static let keyLength = 32

    /// So many bytes are made at once.
    static let portion = 4096

    /// The first `count` bytes of the key stream.
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - count: at most 4,096.
    public static func keyStream(key: [UInt8], count: Int) -> [UInt8] {
        var stream = [UInt8](repeating: 0, count: count)
        KeyStreamCipher().fill(&stream, key: key)
        return stream
    }
}
