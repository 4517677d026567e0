/// One item of CBOR data (RFC 8949).
///
/// Two items are equal when their deterministic encodings are: text is compared byte by byte (not by
/// Unicode equivalence, which would let two different keys name one entry), `0.0` differs from `-0.0`,
/// and every NaN is the same NaN.
public enum CBOR: Sendable {
    /// Major type 0.
    case unsigned(UInt64)
    /// Major type 1. The value is `-1 - n`.
    case negative(UInt64)
    /// Major type 2.
    case bytes([UInt8])
    /// Major type 3, always valid UTF-8.
    case text(String)
    /// Major type 4.
    case array([CBOR])
    /// Major type 5.
    case map(CBORMap)
    /// Major type 6: a tag number and the item it stands before.
    indirect case tagged(UInt64, CBOR)
    /// Major type 7 without a float: 20 is false, 21 true, 22 null, 23 undefined; 24 to 31 do not exist.
    case simple(UInt8)
    /// Major type 7: half, single and double precision alike.
    case float(Double)
}

extension CBOR {
    /// `false`, simple value 20.
    public static let `false` = CBOR.simple(20)
    /// `true`, simple value 21.
    public static let `true` = CBOR.simple(21)
    /// `null`, simple value 22.
    public static let null = CBOR.simple(22)

    /// How many arrays, maps and tags may lie inside one another before an item is refused: far more
    /// than any message here has, far less than what would exhaust a thread's stack.
    public static let maximumDepth = 16
}

extension CBOR {
    /// The deterministic encoding (RFC 8949, 4.2.1): shortest heads, shortest floats, definite lengths,
    /// map keys in the bytewise order of their encodings.
    public var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.append(self)
        return writer.bytes
    }

    /// Whether `raw` is the deterministic encoding: for bytes that were read under other rules.
    public func isEncoded(as raw: [UInt8]) -> Bool {
        var writer = CBORWriter(reserving: raw.count)
        writer.append(self)
        return writer.bytes == raw
    }

    /// The deterministic encodings of `items`, one after the other: a CBOR sequence (RFC 8742).
    public static func encodeSequence(_ items: [CBOR]) -> [UInt8] {
        var writer = CBORWriter()
        for item in items { writer.append(item) }
        return writer.bytes
    }

    /// Reads exactly one item.
    /// - Throws: `CBORError` with the offset at which the input stops making sense; bytes after the item
    ///   are an error too.
    public static func decode(
        _ bytes: [UInt8], rules: CBORRules = .deterministic
    ) throws(CBORError) -> CBOR {
        var reader = CBORReader(bytes, rules: rules)
        let item = try reader.next()
        guard reader.isAtEnd else { throw CBORError(.trailingBytes, at: reader.offset) }
        return item
    }

    /// Reads items until the input ends (RFC 8742). Empty input is an empty sequence.
    public static func decodeSequence(
        _ bytes: [UInt8], rules: CBORRules = .deterministic
    ) throws(CBORError) -> [CBOR] {
        var reader = CBORReader(bytes, rules: rules)
        var items: [CBOR] = []
        while !reader.isAtEnd { items.append(try reader.next()) }
        return items
    }
}

extension CBOR: Hashable {
    /// Equal exactly when the deterministic encodings are equal.
    public static func == (left: CBOR, right: CBOR) -> Bool {
        switch (left, right) {
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.negative(let a), .negative(let b)): a == b
        case (.bytes(let a), .bytes(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.map(let a), .map(let b)): a == b
        case (.tagged(let tagA, let a), .tagged(let tagB, let b)): tagA == tagB && a == b
        case (.simple(let a), .simple(let b)): a == b
        case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
        case (.unsigned, _), (.negative, _), (.bytes, _), (.text, _), (.array, _), (.map, _),
            (.tagged, _), (.simple, _), (.float, _):
            false
        }
    }

    /// Feeds the major type and the contents.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .unsigned(let value):
            hasher.combine(0)
            hasher.combine(value)
        case .negative(let value):
            hasher.combine(1)
            hasher.combine(value)
        case .bytes(let value):
            hasher.combine(2)
            hasher.combine(value)
        case .text(let value):
            hasher.combine(3)
            hasher.combine(value)
        case .array(let value):
            hasher.combine(4)
            hasher.combine(value)
        case .map(let value):
            hasher.combine(5)
            hasher.combine(value)
        case .tagged(let tag, let value):
            hasher.combine(6)
            hasher.combine(tag)
            hasher.combine(value)
        case .simple(let value):
            hasher.combine(7)
            hasher.combine(value)
        case .float(let value):
            hasher.combine(8)
            hasher.combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
        }
    }
}

/// How strictly CBOR is read.
///
/// Both refuse indefinite lengths, duplicate keys, more than `CBOR.maximumDepth` levels, text that is no
/// UTF-8, reserved heads and bytes left over.
public enum CBORRules: Sendable {
    /// Only the deterministic encoding (RFC 8949, 4.2.1), so that an item has exactly one form: for our
    /// own tokens and messages.
    case deterministic
    /// Heads and floats longer than need be and unsorted maps are tolerated: for data made by others.
    case wellFormed
}
