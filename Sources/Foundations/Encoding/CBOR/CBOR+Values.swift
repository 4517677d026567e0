extension CBOR {
    /// A signed integer.
    public init(_ value: Int64) {
        self = value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(bitPattern: ~value))
    }

    /// A signed integer.
    public init(_ value: Int) { self.init(Int64(value)) }

    /// An unsigned integer.
    public init(_ value: UInt64) { self = .unsigned(value) }

    /// A truth value.
    public init(_ value: Bool) { self = value ? .true : .false }

    /// A text string.
    public init(_ value: String) { self = .text(value) }

    /// A byte string.
    public init(_ value: [UInt8]) { self = .bytes(value) }
}

extension CBOR {
    /// The value of an integer between -2^63 and 2^63 - 1; nil for anything else.
    public var integer: Int64? {
        switch self {
        case .unsigned(let value): Int64(exactly: value)
        case .negative(let value): Int64(exactly: value).map { ~$0 }
        case .bytes, .text, .array, .map, .tagged, .simple, .float: nil
        }
    }

    /// The value of an integer that is not negative.
    public var unsignedInteger: UInt64? {
        if case .unsigned(let value) = self { value } else { nil }
    }

    /// The contents of a byte string.
    public var bytes: [UInt8]? {
        if case .bytes(let value) = self { value } else { nil }
    }

    /// The contents of a text string.
    public var text: String? {
        if case .text(let value) = self { value } else { nil }
    }

    /// The items of an array.
    public var array: [CBOR]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The entries of a map.
    public var map: CBORMap? {
        if case .map(let value) = self { value } else { nil }
    }

    /// The value of `true` or `false`.
    public var bool: Bool? {
        switch self {
        case .simple(20): false
        case .simple(21): true
        case .simple, .unsigned, .negative, .bytes, .text, .array, .map, .tagged, .float: nil
        }
    }

    /// The value of a float.
    public var double: Double? {
        if case .float(let value) = self { value } else { nil }
    }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The value under `key` if this is a map that has it.
    public subscript(key: CBOR) -> CBOR? { map?[key] }
}

extension CBOR: ExpressibleByIntegerLiteral {
    /// An integer written in the source.
    public init(integerLiteral value: Int64) { self.init(value) }
}

extension CBOR: ExpressibleByStringLiteral {
    /// A text string written in the source.
    public init(stringLiteral value: String) { self = .text(value) }
}

extension CBOR: ExpressibleByBooleanLiteral {
    /// A truth value written in the source.
    public init(booleanLiteral value: Bool) { self.init(value) }
}

extension CBOR: ExpressibleByArrayLiteral {
    /// An array written in the source.
    public init(arrayLiteral elements: CBOR...) { self = .array(elements) }
}

extension CBOR: ExpressibleByDictionaryLiteral {
    /// A map written in the source; of two entries with one key the later counts.
    public init(dictionaryLiteral elements: (CBOR, CBOR)...) { self = .map(CBORMap(elements)) }
}
