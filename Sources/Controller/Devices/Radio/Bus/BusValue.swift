/// A value of D-Bus ("D-Bus Specification", type system), as far as anything here reads or writes it.
indirect enum BusValue: Hashable, Sendable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case path(String)
    case signature(String)
    /// An array of bytes.
    case bytes([UInt8])
    /// Any other array, with the type of its elements.
    case array(of: String, [BusValue])
    /// A dictionary, with the types of key and value.
    case dictionary(of: String, [BusEntry])
    case structure([BusValue])
    case variant(BusValue)

    /// `a{sv}`.
    static func properties(_ values: [(String, BusValue)]) -> BusValue {
        .dictionary(of: "sv", values.map { BusEntry(key: .string($0), value: .variant($1)) })
    }

    /// `as`.
    static func strings(_ texts: [String]) -> BusValue { .array(of: "s", texts.map { .string($0) }) }

    // What it holds, out of its variant ---------------------------------------------------------

    /// A text, an object's path or a signature.
    var text: String? {
        switch bare {
        case .string(let text), .path(let text), .signature(let text): text
        default: nil
        }
    }

    var flag: Bool? { if case .bool(let flag) = bare { flag } else { nil } }
    var octets: [UInt8]? { if case .bytes(let octets) = bare { octets } else { nil } }
    var unsigned16: Int? { if case .uint16(let number) = bare { Int(number) } else { nil } }
    var entries: [BusEntry]? { if case .dictionary(_, let entries) = bare { entries } else { nil } }

    var elements: [BusValue]? {
        switch bare {
        case .array(_, let elements), .structure(let elements): elements
        default: nil
        }
    }

    /// The texts of an array; nil when it is anything else.
    var texts: [String]? {
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }

    /// The value of that key in a dictionary.
    subscript(key: String) -> BusValue? {
        entries?.first { $0.key.text == key }?.value
    }

    private var bare: BusValue { if case .variant(let value) = self { value } else { self } }
}

extension BusValue {
    /// The type as D-Bus writes it.
    var typeSignature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .bytes: "ay"
        case .array(let element, _): "a\(element)"
        case .dictionary(let entry, _): "a{\(entry)}"
        case .structure(let members): "(\(members.map(\.typeSignature).joined()))"
        case .variant: "v"
        }
    }
}
