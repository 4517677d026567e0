/// Reads one JSON document. Linear in its input but for the sorting of keys; recursion is bounded by
/// `JSONBounds.depth`.
struct JSONParser {
    private let bytes: [UInt8]
    private let bounds: JSONBounds
    private var position = 0
    private var values = 0

    init(_ bytes: [UInt8], within bounds: JSONBounds) {
        self.bytes = bytes
        self.bounds = bounds
    }

    mutating func document() throws(JSONError) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw error(.trailingBytes) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        skipSpace()
        guard let character = peek() else { throw error(.truncated) }
        guard values < bounds.values else { throw error(.tooManyValues) }
        values += 1
        switch character {
        case UInt8(ascii: "{"): return try object(depth: try deeper(depth))
        case UInt8(ascii: "["): return try array(depth: try deeper(depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error(.unexpectedCharacter)
        }
    }

    private func deeper(_ depth: Int) throws(JSONError) -> Int {
        guard depth < bounds.depth else { throw error(.tooDeep) }
        return depth + 1
    }

    private mutating func literal(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for offset in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[offset]) }
        return value
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        position += 1
        var values: [JSON] = []
        skipSpace()
        if skip(UInt8(ascii: "]")) { return .array(values) }
        while true {
            values.append(try value(depth: depth))
            skipSpace()
            if skip(UInt8(ascii: "]")) { return .array(values) }
            try expect(UInt8(ascii: ","))
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        let start = position
        position += 1
        var members: [JSONObject.Member] = []
        skipSpace()
        if !skip(UInt8(ascii: "}")) {
            repeat { members.append(try member(depth: depth)) } while try memberFollows()
        }
        switch JSONObject.unique(members) {
        case .success(let object): return .object(object)
        case .failure: throw error(.duplicateKey, at: start)
        }
    }

    private mutating func member(depth: Int) throws(JSONError) -> JSONObject.Member {
        skipSpace()
        guard let character = peek() else { throw error(.truncated) }
        guard character == UInt8(ascii: "\"") else { throw error(.unexpectedCharacter) }
        let key = try string()
        skipSpace()
        try expect(UInt8(ascii: ":"))
        return JSONObject.Member(key: key, value: try value(depth: depth))
    }

    private mutating func memberFollows() throws(JSONError) -> Bool {
        skipSpace()
        if skip(UInt8(ascii: "}")) { return false }
        try expect(UInt8(ascii: ","))
        return true
    }
}

extension JSONParser {
    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ character: UInt8) -> Bool {
        guard peek() == character else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: UInt8) throws(JSONError) {
        guard position < bytes.count else { throw error(.truncated) }
        guard skip(character) else { throw error(.unexpectedCharacter) }
    }

    private mutating func skipSpace() {
        while let character = peek(), isSpace(character) { position += 1 }
    }

    private func isSpace(_ character: UInt8) -> Bool {
        switch character {
        case 0x20, 0x0A, 0x0D, 0x09: true
        default: false
        }
    }

    private func error(_ kind: JSONError.Kind, at offset: Int? = nil) -> JSONError {
        let before = bytes[..<(offset ?? position)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        // Continuation bytes of UTF-8 start no character.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        return JSONError(kind, line: before.count { $0 == 0x0A } + 1, column: column)
    }
}

extension JSONParser {
    /// `-? int frac? exp?` (RFC 8259, 6).
    private mutating func number() throws(JSONError) -> JSON {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        let leadingZero = peek() == UInt8(ascii: "0")
        guard skipDigits() == 1 || !leadingZero else { throw error(.invalidNumber, at: start) }
        guard position > start, isDigit(bytes[position - 1]) else {
            throw error(.invalidNumber, at: start)
        }
        var isWhole = true
        if skip(UInt8(ascii: ".")) {
            isWhole = false
            guard skipDigits() > 0 else { throw error(.invalidNumber, at: start) }
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isWhole = false
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            guard skipDigits() > 0 else { throw error(.invalidNumber, at: start) }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw error(.numberOutOfRange, at: start) }
        return .number(number)
    }

    private func isDigit(_ character: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
    }

    /// How many digits there were.
    private mutating func skipDigits() -> Int {
        let start = position
        while let character = peek(), isDigit(character) { position += 1 }
        return position - start
    }

    private mutating func string() throws(JSONError) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let character = peek() {
            switch character {
            case UInt8(ascii: "\""):
                position += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw error(.invalidText, at: start)
                }
                return string
            case UInt8(ascii: "\\"):
                text += try escape()
            case 0..<0x20:
                throw error(.controlCharacter)
            default:
                text.append(character)
                position += 1
            }
        }
        throw error(.truncated)
    }

    private mutating func escape() throws(JSONError) -> [UInt8] {
        let start = position
        position += 1
        guard let character = peek() else { throw error(.truncated) }
        position += 1
        switch character {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [character]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try scalar(start))).utf8)
        default: throw error(.invalidEscape, at: start)
        }
    }

    /// The character of one `\u` escape, or of two that are a surrogate pair.
    private mutating func scalar(_ start: Int) throws(JSONError) -> Unicode.Scalar {
        let first = try codeUnit(start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
            throw error(.invalidEscape, at: start)
        }
        let second = try codeUnit(start)
        guard UTF16.isTrailSurrogate(second) else { throw error(.invalidEscape, at: start) }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func codeUnit(_ start: Int) throws(JSONError) -> UInt16 {
        guard bytes.count - position >= 4 else { throw error(.truncated) }
        let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        // `UInt16(_:radix:)` would take a sign too.
        guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let unit = UInt16(digits, radix: 16)
        else { throw error(.invalidEscape, at: start) }
        position += 4
        return unit
    }
}
