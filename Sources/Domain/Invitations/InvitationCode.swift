import Cryptography
import Encoding

/// What stands in a link: 128 random bits, good for one key. Whoever has it may redeem the invitation, so that it is kept as its
/// hash only, and printed nowhere but in the link itself.
public struct InvitationCode: Hashable, Sendable {
    /// The 16 bytes.
    public let bytes: [UInt8]

    /// Length in bytes.
    public static let length = 16

    /// A code from its bytes; nil for any other number of them.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// A code as it stands in a link: 22 characters of base64url, in their one form. Nil for anything else.
    public init?(_ text: String) {
        guard let bytes = try? Base64.decode(text, .url) else { return nil }
        self.init(bytes: bytes)
    }

    private init(made bytes: [UInt8]) { self.bytes = bytes }

    /// A fresh one.
    public static func make() -> InvitationCode { InvitationCode(made: RandomBytes.make(length)) }

    /// As it stands in a link.
    public var text: String { Base64.encode(bytes, .url) }

    /// SHA-256 of the 16 bytes: what is kept, and what statements name.
    public var hash: [UInt8] { SHA256.hash(bytes) }
}

extension InvitationCode: CustomStringConvertible, CustomReflectable {
    /// Says nothing of the code: a log or a message of a failed test is read by others.
    public var description: String { "(code)" }
    /// As `description`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
