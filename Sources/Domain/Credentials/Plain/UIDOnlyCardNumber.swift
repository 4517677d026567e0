import Cryptography

/// What a UID-only card calls itself at the air interface: its UID (ISO/IEC 14443-3, 6.5). Nothing proves it, and anybody who has been near
/// the card can show the same (requirement V8).
public struct UIDOnlyCardNumber: Hashable, Sendable {
    /// The bytes in the order in which the card sends them.
    public let bytes: [UInt8]

    /// The sizes of a UID (ISO/IEC 14443-3, 6.5.4).
    public static let lengths: Set<Int> = [4, 7, 10]
    /// A UID of four bytes that begins so is another one each time, as those of phones are (ISO/IEC 14443-3, 6.5.4).
    private static let randomMark: UInt8 = 0x08

    /// A number that a card keeps.
    public init(_ bytes: [UInt8]) throws(UIDOnlyCardNumberFlaw) {
        guard Self.lengths.contains(bytes.count) else { throw .length(bytes.count) }
        guard bytes.count > 4 || bytes[0] != Self.randomMark else { throw .random }
        self.bytes = bytes
    }

    /// 32 bytes that stand for the card in the journal, in events and logs. They come from two bytes of a digest and no more: numbers are
    /// so short that whoever has a whole digest of one finds it by trying, and could make the card. Two cards may share them; whose the
    /// card is, the record says beside.
    public var identifier: [UInt8] {
        SHA256.hash(Self.label + SHA256.hash(Self.label + bytes).prefix(Self.identifierBytes))
    }

    private static let label = Array("tapstile UID-only card".utf8)
    private static let identifierBytes = 2
}

extension UIDOnlyCardNumber: CustomStringConvertible, CustomDebugStringConvertible {
    /// Says nothing of the number: it would get into a log.
    public var description: String { "a number of \(bytes.count) bytes" }
    public var debugDescription: String { description }
}
