extension JSON {
    /// The value of a string.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The value of an integer. A number with a fraction or exponent is none, even if it is whole.
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The value of any number.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The value of `true` or `false`.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The values of an array.
    public var array: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members of an object.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The value under `key` if this is an object that has it.
    public subscript(key: String) -> JSON? { object?[key] }

    /// An integer.
    public init(_ value: Int) { self = .integer(Int64(value)) }

    /// An integer.
    public init(_ value: Int64) { self = .integer(value) }

    /// A string.
    public init(_ value: String) { self = .string(value) }

    /// A truth value.
    public init(_ value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByStringLiteral {
    /// A string written in the source.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    /// An integer written in the source.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSON: ExpressibleByFloatLiteral {
    /// A number written in the source.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSON: ExpressibleByBooleanLiteral {
    /// A truth value written in the source.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByArrayLiteral {
    /// An array written in the source.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// An object written in the source; of two members with one key the later counts.
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
}
