/// Reads DER in its one form (ITU-T X.690, 10 and 11), as keys and certificates are written. Answers nil for anything else; whoever
/// reads gives up then.
public struct DERReader: Sendable {
    private var rest: ArraySlice<UInt8>

    /// A reader of these bytes.
    public init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// A reader of what is inside an element.
    public init(_ content: ArraySlice<UInt8>) { rest = content }

    /// Whether everything was read.
    public var isAtEnd: Bool { rest.isEmpty }

    /// Whether the next element has this tag.
    public func begins(with tag: DERTag) -> Bool {
        var ahead = self
        return ahead.readTag() == tag
    }

    /// The next element whatever it is: its tag and its content.
    public mutating func readAny() -> (tag: DERTag, content: ArraySlice<UInt8>)? {
        guard let tag = readTag(), let length = readLength(), length <= rest.count else { return nil }
        let content = rest.prefix(length)
        rest = rest.dropFirst(length)
        return (tag, content)
    }

    /// The content of the next element if it has this tag.
    public mutating func read(_ tag: DERTag) -> ArraySlice<UInt8>? {
        guard begins(with: tag) else { return nil }
        return readAny()?.content
    }

    /// The next element with its tag and length, as it stands there, if it has this tag.
    public mutating func readWhole(_ tag: DERTag) -> [UInt8]? {
        let before = rest
        guard read(tag) != nil else { return nil }
        return Array(before.prefix(before.count - rest.count))
    }

    /// Takes these very bytes.
    public mutating func read(exactly bytes: [UInt8]) -> Bool {
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }

    /// What is inside the next element, which must be a sequence.
    public mutating func readSequence() -> DERReader? { read(.sequence).map { DERReader($0) } }

    /// What is inside the next element, which must be a string of whole bytes.
    public mutating func readBytesOfBitString() -> DERReader? { readBitString().map { DERReader($0) } }

    /// The next element, which must be a string of whole bytes.
    public mutating func readBitString() -> ArraySlice<UInt8>? {
        guard var content = read(.bitString), content.popFirst() == 0 else { return nil }
        return content
    }

    /// The next integer if it is positive, without zeros before it.
    public mutating func readPositive() -> [UInt8]? {
        guard var digits = read(.integer), let first = digits.first, first & 0x80 == 0 else { return nil }
        if first == 0 {
            digits = digits.dropFirst()
            // One zero, and only where the sign needs it.
            guard let next = digits.first, next & 0x80 != 0 else { return nil }
        }
        return Array(digits)
    }

    /// The next integer, or enumerated value, if it is from 0 to 2^63 - 1.
    public mutating func readNumber(_ tag: DERTag = .integer) -> Int64? {
        guard let digits = read(tag), let first = digits.first, first & 0x80 == 0, digits.count <= Int64.bitWidth / 8 else { return nil }
        if first == 0, digits.count > 1 {
            guard digits[digits.startIndex + 1] & 0x80 != 0 else { return nil }
        }
        return digits.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The next element, which must be a boolean: all bits or none (X.690, 11.1).
    public mutating func readBoolean() -> Bool? {
        guard let content = read(.boolean), content.count == 1 else { return nil }
        switch content.first {
        case 0xFF: return true
        case 0x00: return false
        case .some, .none: return nil
        }
    }

    /// Tags of up to three bytes, in the shortest form.
    private mutating func readTag() -> DERTag? {
        guard let first = rest.popFirst() else { return nil }
        guard first & 0x1F == 0x1F else { return DERTag(rawValue: UInt32(first)) }
        guard let second = rest.popFirst(), second != 0x80 else { return nil }
        if second < 0x80 { return second >= 0x1F ? DERTag(rawValue: UInt32(first) << 8 | UInt32(second)) : nil }
        guard let third = rest.popFirst(), third < 0x80 else { return nil }
        return DERTag(rawValue: UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third))
    }

    /// Lengths up to 65,535, in the shortest form.
    private mutating func readLength() -> Int? {
        guard let first = rest.popFirst() else { return nil }
        switch first {
        case 0..<0x80:
            return Int(first)
        case 0x81:
            guard let length = rest.popFirst(), length >= 0x80 else { return nil }
            return Int(length)
        case 0x82:
            guard let high = rest.popFirst(), high > 0, let low = rest.popFirst() else { return nil }
            return Int(high) << 8 | Int(low)
        default:
            return nil
        }
    }
}
