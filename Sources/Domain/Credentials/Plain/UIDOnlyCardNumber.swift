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

/// Why bytes are no number by which a card could be known.
public enum UIDOnlyCardNumberFlaw: Error, Hashable, Sendable {
    /// No UID has so many bytes.
    case length(Int)
    /// The number is another one each time.
    case random

    /// One English sentence for people; it does not name the number.
    public var message: String {
        switch self {
        case .length(let count): "A card's number has 4, 7 or 10 bytes, this one has \(count)."
        case .random: "A number of 4 bytes that begins with 08 is made up anew each time, as phones do; it names no card."
        }
    }
}

/// A UID-only card on the site's list of those that may open (requirement V8). It runs the default command and no other, and never stands for a
/// second factor: what it shows can be copied.
public struct UIDOnlyCard: Hashable, Sendable {
    /// Its number.
    public let number: UIDOnlyCardNumber
    /// The person or account.
    public let subject: String
    /// The places where it counts, see `Place`; empty: the whole site.
    public let audiences: [String]
    /// First valid second, UNIX time; nil: no limit.
    public let notBefore: Int64?
    /// First second at which it is valid no more, UNIX time; nil: no limit.
    public let expiresAt: Int64?

    /// The only command of a UID-only card.
    public static let command = TokenClaims.defaultCommand

    /// A card of the site data.
    public init(number: UIDOnlyCardNumber, subject: String, audiences: [String] = [], notBefore: Int64? = nil, expiresAt: Int64? = nil) {
        self.number = number
        self.subject = subject
        self.audiences = audiences
        self.notBefore = notBefore
        self.expiresAt = expiresAt
    }

    /// Every revocation that would take this card back. One card alone is taken back by taking it off the list.
    public var revocations: [Revocation] { [.subject(subject), .suspended(subject)] }
}
