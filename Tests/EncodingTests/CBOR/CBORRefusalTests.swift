import Encoding
import Testing

@Suite("What is refused as CBOR")
struct CBORRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let hex: String
        let why: String
        let kind: CBORError.Kind
        let offset: Int
        var testDescription: String { "\(why): \(hex)" }

        init(_ hex: String, _ why: String, _ kind: CBORError.Kind, at offset: Int) {
            self.hex = hex
            self.why = why
            self.kind = kind
            self.offset = offset
        }
    }

    static let underBothRules = [
        Case("", "nothing at all", .truncated, at: 0),
        Case("5fff", "indefinite byte string", .indefiniteLength, at: 0),
        Case("7fff", "indefinite text", .indefiniteLength, at: 0),
        Case("819fff", "indefinite array inside", .indefiniteLength, at: 1),
        Case("a100bfff", "indefinite map inside", .indefiniteLength, at: 2),
        Case("a200000001", "key twice", .duplicateKey, at: 3),
        Case("a3000001000102", "key twice, of three", .duplicateKey, at: 5),
        Case("a2616100616101", "text key twice", .duplicateKey, at: 4),
        Case("0000", "an item too many", .trailingBytes, at: 1),
        Case("61ff", "a byte UTF-8 never has", .invalidText, at: 0),
        Case("62c080", "an overlong zero", .invalidText, at: 0),
        Case("63eda080", "half a surrogate pair", .invalidText, at: 0),
        Case("64f4908080", "beyond U+10FFFF", .invalidText, at: 0),
        Case("61c3", "half a character", .invalidText, at: 0),
        Case("5bffffffffffffffff", "a string of 2^64 - 1 bytes", .truncated, at: 0),
        Case("5b7fffffffffffffff", "a string of 2^63 - 1 bytes", .truncated, at: 0),
        Case("9bffffffffffffffff", "an array of 2^64 - 1 items", .truncated, at: 0),
        Case("9b7fffffffffffffff00", "an array of 2^63 - 1 items", .truncated, at: 0),
        Case("bb7fffffffffffffff0000", "a map of 2^63 - 1 entries", .truncated, at: 0),
        Case("a20001", "a map of more entries than bytes allow", .truncated, at: 0),
        Case("82820000", "an array that goes on behind its inner array", .truncated, at: 4),
        Case("f817", "null's neighbour in two bytes", .reserved, at: 0),
        Case("f81f", "simple value 31", .reserved, at: 0),
        Case("fe", "additional information 30", .reserved, at: 0),
        Case("df", "an indefinite tag", .reserved, at: 0),
        Case("ff", "a break without a beginning", .indefiniteLength, at: 0),
        Case("d2", "a tag before nothing", .truncated, at: 1),
    ]

    @Test("Under both rules", arguments: underBothRules)
    func both(_ example: Case) throws {
        let bytes = try Hex.decode(example.hex)
        let expected = CBORError(example.kind, at: example.offset)
        #expect(throws: expected) { try CBOR.decode(bytes, rules: .wellFormed) }
        #expect(throws: expected) { try CBOR.decode(bytes, rules: .deterministic) }
    }

    static let underDeterministicRules = [
        Case("1817", "23 in two bytes", .notShortest, at: 0),
        Case("1900ff", "255 in three bytes", .notShortest, at: 0),
        Case("1a0000ffff", "65535 in five bytes", .notShortest, at: 0),
        Case("1b00000000ffffffff", "2^32 - 1 in nine bytes", .notShortest, at: 0),
        Case("3800", "-1 in two bytes", .notShortest, at: 0),
        Case("580100", "a string's length in two bytes", .notShortest, at: 0),
        Case("780161", "a text's length in two bytes", .notShortest, at: 0),
        Case("98020000", "an array's length in two bytes", .notShortest, at: 0),
        Case("b8010000", "a map's length in two bytes", .notShortest, at: 0),
        Case("d81200", "a tag in two bytes", .notShortest, at: 0),
        Case("fa3f800000", "1.0 in five bytes", .notShortest, at: 0),
        Case("fb3ff0000000000000", "1.0 in nine bytes", .notShortest, at: 0),
        Case("f97e01", "another NaN", .notShortest, at: 0),
        Case("f9fe00", "a NaN with a sign", .notShortest, at: 0),
        Case("a201000000", "keys in the wrong order", .unsortedKeys, at: 3),
        Case("a2616200616100", "text keys in the wrong order", .unsortedKeys, at: 4),
        Case("a262616100616200", "the longer key first", .unsortedKeys, at: 5),
        Case("a22000186400", "length first, as RFC 7049 had it", .unsortedKeys, at: 3),
    ]

    @Test("Under the deterministic rules alone", arguments: underDeterministicRules)
    func deterministic(_ example: Case) throws {
        let bytes = try Hex.decode(example.hex)
        #expect(throws: CBORError(example.kind, at: example.offset)) { try CBOR.decode(bytes) }
        if example.hex != "780161" {
            let item = try CBOR.decode(bytes, rules: .wellFormed)
            #expect(try CBOR.decode(item.encoded) == item)
            #expect(item.isEncoded(as: item.encoded) && !item.isEncoded(as: bytes))
        }
    }

    @Test("A key written in two ways is still one key")
    func duplicateInDisguise() throws {
        let bytes = try Hex.decode("a20000180001")
        #expect(throws: CBORError(.duplicateKey, at: 3)) { try CBOR.decode(bytes, rules: .wellFormed) }
    }

    @Test("A key twice is found also when another lies between")
    func distantDuplicate() throws {
        let bytes = try Hex.decode("a3000001000002")
        #expect(throws: CBORError(.duplicateKey, at: 5)) { try CBOR.decode(bytes, rules: .wellFormed) }
        #expect(throws: CBORError(.unsortedKeys, at: 5)) { try CBOR.decode(bytes) }
    }

    @Test("Sixteen levels are read, seventeen refused, whatever they are made of")
    func depth() throws {
        for opening: [UInt8] in [[0x81], [0xC1], [0xA1, 0x00]] {
            let allowed = Array(repeating: opening, count: 16).joined() + [0x00]
            #expect(try CBOR.decode(Array(allowed)).encoded == Array(allowed))
            for levels in [17, 100_000] {
                let refused = Array(repeating: opening, count: levels).joined() + [0x00]
                #expect(throws: CBORError(.tooDeep, at: 16 * opening.count)) {
                    try CBOR.decode(Array(refused))
                }
            }
        }
    }

    @Test("Every beginning of an item is truncated, and says so")
    func truncation() throws {
        let item: CBOR = [
            1, -500, "text", .bytes([1, 2, 3]), ["a": .float(1.5), 24: [true, .null]], .tagged(18, "x"), .float(1.1)
        ]
        let bytes = item.encoded
        for count in bytes.indices {
            for rules in [CBORRules.deterministic, .wellFormed] {
                #expect(refusal(Array(bytes[..<count]), rules) == "cbor-truncated")
            }
        }
    }

    @Test("Every refusal has a code of its own and a sentence that says where")
    func catalogue() {
        let codes = CBORError.Kind.allCases.map { CBORError($0, at: 7).code }
        #expect(Set(codes).count == codes.count)
        for kind in CBORError.Kind.allCases {
            #expect(CBORError(kind, at: 7).message.hasSuffix("(byte 7)."))
        }
    }
}
