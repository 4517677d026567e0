/// Writes items one after the other in deterministic encoding (RFC 8949, 4.2.1).
public struct CBORWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    /// A writer that has written nothing.
    public init() {}

    /// A writer with room for so many bytes; more may follow.
    public init(reserving count: Int) { bytes.reserveCapacity(count) }

    /// Writes one item.
    public mutating func append(_ item: CBOR) {
        switch item {
        case .unsigned(let value):
            appendHead(.unsigned, value)
        case .negative(let value):
            appendHead(.negative, value)
        case .bytes(let value):
            appendHead(.bytes, UInt64(value.count))
            bytes += value
        case .text(let value):
            appendHead(.text, UInt64(value.utf8.count))
            bytes.append(contentsOf: value.utf8)
        case .array(let items):
            appendHead(.array, UInt64(items.count))
            for item in items { append(item) }
        case .map(let map):
            appendHead(.map, UInt64(map.count))
            for entry in map.entries {
                append(entry.key)
                append(entry.value)
            }
        case .tagged(let tag, let value):
            appendHead(.tag, tag)
            append(value)
        case .simple(let value):
            // 24 to 31 do not exist in any encoding (RFC 8949, 3.3); no decoder makes them.
            precondition(!(24...31).contains(value), "CBOR has no simple values 24 to 31")
            appendHead(.simple, UInt64(value))
        case .float(let value):
            append(float: value)
        }
    }

    /// Writes bytes that are CBOR already, as they were received or signed.
    public mutating func append(raw: [UInt8]) { bytes += raw }

    /// Writes the head of an array whose `count` items the caller writes next.
    public mutating func appendArrayHead(count: Int) { appendHead(.array, UInt64(count)) }

    private mutating func appendHead(_ major: CBORMajor, _ value: UInt64) {
        let type = major.rawValue << 5
        switch value {
        case ...23:
            bytes.append(type | UInt8(value))
        case ...0xFF:
            bytes.append(type | 24)
            bytes.append(UInt8(value))
        case ...0xFFFF:
            bytes.append(type | 25)
            append(value, bytes: 2)
        case ...0xFFFF_FFFF:
            bytes.append(type | 26)
            append(value, bytes: 4)
        default:
            bytes.append(type | 27)
            append(value, bytes: 8)
        }
    }

    private mutating func append(float value: Double) {
        switch CBORFloat.shortest(value) {
        case .half(let bits):
            bytes.append(0xF9)
            append(UInt64(bits), bytes: 2)
        case .single(let bits):
            bytes.append(0xFA)
            append(UInt64(bits), bytes: 4)
        case .double(let bits):
            bytes.append(0xFB)
            append(bits, bytes: 8)
        }
    }

    private mutating func append(_ value: UInt64, bytes count: Int) {
        for shift in stride(from: (count - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}

/// The eight major types (RFC 8949, 3.1): the three upper bits of a head.
enum CBORMajor: UInt8 {
    case unsigned = 0
    case negative = 1
    case bytes = 2
    case text = 3
    case array = 4
    case map = 5
    case tag = 6
    case simple = 7

    /// The major type of the head that starts with `initialByte`.
    init(initialByte: UInt8) {
        switch initialByte >> 5 {
        case 0: self = .unsigned
        case 1: self = .negative
        case 2: self = .bytes
        case 3: self = .text
        case 4: self = .array
        case 5: self = .map
        case 6: self = .tag
        default: self = .simple
        }
    }
}
