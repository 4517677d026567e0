import Cryptography
import Encoding

/// What a phone signs to show that it has a key (ES256 over the text, r || s).
///
/// The phone builds it from values that it knows itself, so that no server can have anything else signed. It is text that begins with `t`
/// (0x74): what is signed in COSE and in EDHOC is an array of CBOR that begins with 0x84 (RFC 9052, 4.4), so that no signature of one use
/// is good in the other.
public struct Statement: Hashable, Sendable {
    /// What the phone wants by it.
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// To have the invitation for its key.
        case redeem
        /// To have another token for a key that has an invitation.
        case renew
    }

    /// Why it was signed.
    public let purpose: Purpose
    /// The server for which it was signed, as `Statement.origin(of:)` writes it.
    public let origin: String
    /// The thumbprint of the phone's key (RFC 9679, SHA-256), 32 bytes.
    public let thumbprint: [UInt8]
    /// What the server gave, unchanged.
    public let nonce: NonceText
    /// SHA-256 of the code, 32 bytes; nil for any purpose but `redeem`.
    public let codeHash: [UInt8]?
    /// The phone's clock, UNIX seconds.
    public let time: Int64

    private static let head = "tapstile-phone-statement-1"

    private init(_ purpose: Purpose, origin: String, thumbprint: [UInt8], nonce: NonceText, codeHash: [UInt8]?, time: Int64) {
        (self.purpose, self.origin, self.thumbprint) = (purpose, origin, thumbprint)
        (self.nonce, self.codeHash, self.time) = (nonce, codeHash, time)
    }

    /// That this key is to have the invitation of this code.
    public static func redeem(origin: String, key: PublicKey, nonce: NonceText, code: InvitationCode, time: Int64) -> Statement {
        Statement(.redeem, origin: origin, thumbprint: key.thumbprint, nonce: nonce, codeHash: code.hash, time: time)
    }

    /// That this key is to have another token.
    public static func renew(origin: String, key: PublicKey, nonce: NonceText, time: Int64) -> Statement {
        Statement(.renew, origin: origin, thumbprint: key.thumbprint, nonce: nonce, codeHash: nil, time: time)
    }

    /// The bytes that are signed: lines of UTF-8, each with a line break at its end.
    public var bytes: [UInt8] {
        var lines = [
            Self.head, "purpose: \(purpose.rawValue)", "origin: \(origin)", "key: \(Base64.encode(thumbprint, .url))",
            "nonce: \(nonce.text)"
        ]
        if let codeHash { lines.append("code: \(Base64.encode(codeHash, .url))") }
        lines.append("time: \(UTCText.make(seconds: time))")
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// The phone's signature, 64 bytes.
    public func signature(by key: SigningKey) throws(CryptographyError) -> [UInt8] { try key.sign(bytes) }

    /// Whether the signature is that of a key, whose thumbprint it has to name.
    public func isSigned(_ signature: [UInt8], by key: PublicKey) -> Bool {
        thumbprint == key.thumbprint && key.verify(signature, over: bytes)
    }

    /// The origin of an address as browsers have it in `location.origin`: scheme, host, and the port where it is not the usual one.
    /// Nil for what is no address of the web, and for `http` but on the machine itself, where browsers make keys too.
    public static func origin(of url: String) -> String? {
        guard let address = WebAddress(url) else { return nil }
        let isLocal = ["localhost", "127.0.0.1", "[::1]"].contains(address.host)
        let usual: UInt16
        switch address.scheme {
        case .https: usual = 443
        case .http where isLocal: usual = 80
        case .http: return nil
        }
        return "\(address.scheme.rawValue)://\(address.host)\(address.port == usual ? "" : ":\(address.port)")"
    }
}

/// What a server wants to see signed: text of base64url, so that no server can put a line, or bytes of any other kind, into what a phone signs.
public struct NonceText: Hashable, Sendable {
    /// The text.
    public let text: String

    /// The most characters.
    public static let longest = 200

    /// Nil for an empty or a longer text, and for any character but A–Z, a–z, 0–9, `-` and `_`.
    public init?(_ text: String) {
        let isGood = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                 UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isGood, (1...Self.longest).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// What the key of an Android phone is to be attested for: SHA-256 of `tapstile-attestation-1` and the nonce's characters, 32 bytes.
    public var attestationChallenge: [UInt8] { SHA256.hash(Array("tapstile-attestation-1".utf8) + Array(text.utf8)) }
}
