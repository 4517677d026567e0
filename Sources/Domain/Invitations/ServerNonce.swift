import Cryptography
import Encoding

/// The nonces of a server: its time and random bytes under a code of authentication (HMAC-SHA-256), so that it has to remember only those
/// that were used. 56 bytes as 75 characters.
public struct ServerNonce: Sendable {
    private let key: [UInt8]

    /// How long one is good, in seconds.
    public static let lifetime: Int64 = 300
    /// By how much a clock that was put back may be behind the one that made it, in seconds.
    private static let tolerance: Int64 = 5
    private static let timeLength = 8, randomLength = 16

    /// Nonces of a server.
    /// - Parameter key: 32 random bytes.
    public init(key: [UInt8]) { self.key = key }

    /// A fresh key.
    public static func makeKey() -> [UInt8] { RandomBytes.make(SHA256.length) }

    /// A fresh nonce.
    /// - Parameter now: UNIX seconds.
    public func make(now: Int64) -> NonceText {
        let unsigned = UInt64(bitPattern: now)
        let time = (0..<Self.timeLength).map { UInt8(truncatingIfNeeded: unsigned >> UInt64(56 - 8 * $0)) }
        let content = time + RandomBytes.make(Self.randomLength)
        // 56 bytes make 75 characters of base64url.
        guard let nonce = NonceText(Base64.encode(content + code(of: content), .url)) else { preconditionFailure("base64url is a nonce") }
        return nonce
    }

    /// When one of ours was made, and what names it among those that were used. Nil for one that is not ours, too old, or from a time to come.
    /// - Parameter now: UNIX seconds.
    public func judge(_ nonce: NonceText, now: Int64) -> (name: [UInt8], madeAt: Int64)? {
        let length = Self.timeLength + Self.randomLength
        guard let bytes = try? Base64.decode(nonce.text, .url), bytes.count == length + SHA256.length else { return nil }
        let content = Array(bytes[..<length])
        guard ConstantTime.equal(Array(bytes[length...]), code(of: content)) else { return nil }
        let madeAt = Int64(bitPattern: content[..<Self.timeLength].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        guard madeAt <= now + Self.tolerance, now - madeAt < Self.lifetime else { return nil }
        return (content, madeAt)
    }

    private func code(of content: [UInt8]) -> [UInt8] {
        HMACSHA256.authenticate([Array("tapstile-nonce-1".utf8), content], key: key)
    }
}
