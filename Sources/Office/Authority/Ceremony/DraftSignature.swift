import Cryptography
import Encoding

/// What `sign` makes of a draft and a key, to be carried back.
public struct DraftSignature: Hashable, Sendable {
    /// Which draft was signed.
    public let draft: [UInt8]
    /// By which key.
    public let keyIdentifier: String
    /// The signature.
    public let bytes: [UInt8]

    /// The longest file.
    static let longest = 4096

    init(draft: [UInt8], keyIdentifier: String, bytes: [UInt8]) {
        self.draft = draft
        self.keyIdentifier = keyIdentifier
        self.bytes = bytes
    }

    /// Reads a signature; nil for anything else.
    public init?(parsing bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), let draft = json["tapstile-draft-signed"]?.string.flatMap({ try? Hex.decode($0) }),
              let key = json["keyid"]?.string, let signature = json["sig"]?.string.flatMap({ try? Hex.decode($0) }) else { return nil }
        self.init(draft: draft, keyIdentifier: key, bytes: signature)
    }

    /// The file.
    public var text: [UInt8] {
        Array(JSON.object([
            "tapstile-draft-signed": .string(Hex.encode(draft)), "keyid": .string(keyIdentifier), "sig": .string(Hex.encode(bytes))
        ]).text.utf8)
    }
}
