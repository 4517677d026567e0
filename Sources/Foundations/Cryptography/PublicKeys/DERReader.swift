/// Reads the few structures that keys are made of, in their one form (ITU-T X.690, 10 and 11).
struct DERReader {
    /// The tags that occur (X.680, 8).
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case octetString = 0x04
        case objectIdentifier = 0x06
        case sequence = 0x30
        /// [0], which stands for different things.
        case context0 = 0xA0
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    private init(_ rest: ArraySlice<UInt8>) { self.rest = rest }

    var isAtEnd: Bool { rest.isEmpty }

    /// Whether the next element has this tag.
    func begins(with tag: Tag) -> Bool { rest.first == tag.rawValue }

    /// The content of the next element if it has this tag.
    mutating func take(_ tag: Tag) -> ArraySlice<UInt8>? {
        guard rest.popFirst() == tag.rawValue, let length = takeLength(), length <= rest.count else { return nil }
        let content = rest.prefix(length)
        rest = rest.dropFirst(length)
        return content
    }

    /// What is inside the next element, which must be a sequence.
    mutating func takeSequence() -> DERReader? { take(.sequence).map { DERReader($0) } }

    /// Takes these very bytes.
    mutating func take(exactly bytes: [UInt8]) -> Bool {
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }

    /// What is inside the next element, which must be a string of whole bytes.
    mutating func takeBytesOfBitString() -> DERReader? { takeBitString().map { DERReader($0) } }

    /// The next element, which must be a string of whole bytes.
    mutating func takeBitString() -> ArraySlice<UInt8>? {
        guard var content = take(.bitString), content.popFirst() == 0 else { return nil }
        return content
    }

    /// The next integer if it is positive, without zeros before it.
    mutating func takePositive() -> [UInt8]? {
        guard var digits = take(.integer), let first = digits.first, first & 0x80 == 0 else { return nil }
        if first == 0 {
            digits = digits.dropFirst()
            // One zero, and only where the sign needs it.
            guard let next = digits.first, next & 0x80 != 0 else { return nil }
        }
        return Array(digits)
    }

    /// Lengths up to 65,535, in the shortest form.
    private mutating func takeLength() -> Int? {
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
