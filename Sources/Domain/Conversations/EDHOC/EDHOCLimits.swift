import Encoding

/// Bounds on what the other side may send. RFC 9528 sets none (3.4); these follow from the carriers.
enum EDHOCLimits {
    /// Longest message read, in bytes. A token by value makes message_3 about 330; certificates and
    /// tokens with more claims fit three times over.
    static let maximumMessage = 1024

    /// Longest connection identifier read. Ours have one byte.
    static let maximumConnectionIdentifier = 16

    /// The content of a message that is exactly one byte string (RFC 9528, 5.3.1, 5.4.1, 5.5.1).
    static func soleByteString(of message: [UInt8]) throws(EDHOCError) -> [UInt8] {
        guard message.count <= maximumMessage else { throw .tooLong(maximumMessage) }
        guard let item = try? CBOR.decode(message), let bytes = item.bytes else { throw .malformed("message") }
        return bytes
    }
}
