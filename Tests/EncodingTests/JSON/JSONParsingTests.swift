import Encoding
import Testing

@Suite("Reading JSON")
struct JSONParsingTests {
    private func parse(_ text: String) throws(JSONError) -> JSON { try JSON.parse(Array(text.utf8)) }

    @Test("Every kind of value")
    func kinds() throws {
        let text = """
            { "null": null, "yes": true, "no": false, "whole": -12, "part": 1.5e2,
              "text": "a\\u00e9\\ud834\\udd1e\\n\\"\\\\\\/\\b\\f\\r\\t", "list": [1, [], {}], "": 0 }
            """
        let value = try parse(text)
        #expect(value["null"]?.isNull == true)
        #expect(value["yes"]?.bool == true)
        #expect(value["no"]?.bool == false)
        #expect(value["whole"]?.integer == -12)
        #expect(value["part"]?.number == 150)
        #expect(value["part"]?.integer == nil)
        #expect(value["text"]?.string == "a\u{E9}\u{1D11E}\n\"\\/\u{8}\u{C}\r\t")
        #expect(value["list"]?.array == [1, [], [:]])
        #expect(value[""] == 0)
        #expect(value["absent"] == nil)
        #expect(value.object?.count == 8)
        #expect(JSON.integer(1)["key"] == nil)
    }

    @Test("Numbers", arguments: [
        ("0", JSON.integer(0)), ("-0", .integer(0)), ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(0x1p63)), ("1e2", .number(100)),
        ("1E+2", .number(100)), ("1.5e-1", .number(0.15)), ("0.0", .number(0)), ("1e308", .number(1e308)),
        ("0e0", .number(0)), ("4.9e-324", .number(.leastNonzeroMagnitude)),
        ("1e-400", .number(0))
    ])
    func numbers(_ text: String, _ value: JSON) throws {
        #expect(try parse(text) == value)
        #expect(try parse(" [ \(text)\t]\r\n") == [value])
    }

    @Test("What is refused, and at which column of line 1", arguments: [
        ("", JSONError.Kind.truncated, 1), (" ", .truncated, 2), ("[", .truncated, 2), ("[1", .truncated, 3),
        ("[1,", .truncated, 4), ("{", .truncated, 2), ("{\"a\"", .truncated, 5), ("{\"a\":", .truncated, 6),
        ("{\"a\":1", .truncated, 7), ("{\"a\":1,", .truncated, 8), ("\"a", .truncated, 3), ("\"\\", .truncated, 3),
        ("\"\\u12", .truncated, 4), ("tru", .truncated, 4),
        ("1 2", .trailingBytes, 3),
        ("{}}", .trailingBytes, 3), ("nullx", .trailingBytes, 5), ("01", .invalidNumber, 1),
        ("[1,]", .unexpectedCharacter, 4),
        ("[,1]", .unexpectedCharacter, 2), ("[1 2]", .unexpectedCharacter, 4),
        ("{1:2}", .unexpectedCharacter, 2), ("{\"a\" 1}", .unexpectedCharacter, 6),
        ("{\"a\":1,}", .unexpectedCharacter, 8),
        ("{,}", .unexpectedCharacter, 2), ("[}", .unexpectedCharacter, 2), ("nul1", .unexpectedCharacter, 4),
        ("True", .unexpectedCharacter, 1), ("'a'", .unexpectedCharacter, 1), ("NaN", .unexpectedCharacter, 1),
        ("Infinity", .unexpectedCharacter, 1), ("+1", .unexpectedCharacter, 1), (".5", .unexpectedCharacter, 1),
        ("/**/1", .unexpectedCharacter, 1), ("\u{FEFF}1", .unexpectedCharacter, 1),
        ("\u{A0}1", .unexpectedCharacter, 1),
        ("\u{C}1", .unexpectedCharacter, 1),
        ("-", .invalidNumber, 1), ("-a", .invalidNumber, 1), ("00", .invalidNumber, 1), ("-01", .invalidNumber, 1),
        ("1.", .invalidNumber, 1), ("1.e1", .invalidNumber, 1), ("1e", .invalidNumber, 1), ("1e+", .invalidNumber, 1),
        ("0x10", .trailingBytes, 2), ("1e400", .numberOutOfRange, 1), ("-1e400", .numberOutOfRange, 1),
        ("\"\t\"", .controlCharacter, 2), ("\"a\nb\"", .controlCharacter, 3), ("\"\0\"", .controlCharacter, 2),
        ("\"\\x\"", .invalidEscape, 2), ("\"\\'\"", .invalidEscape, 2), ("\"\\u12g4\"", .invalidEscape, 2),
        ("\"\\u+123\"", .invalidEscape, 2), ("\"\\U0041\"", .invalidEscape, 2),
        ("\"\\ud834\"", .invalidEscape, 2), ("\"\\ud834x\"", .invalidEscape, 2), ("\"\\udd1e\"", .invalidEscape, 2),
        ("\"\\ud834\\u0041\"", .invalidEscape, 2), ("\"\\ud834\\ud834\"", .invalidEscape, 2),
        ("{\"a\":1,\"a\":1}", .duplicateKey, 1), ("[{\"a\":1,\"b\":2,\"\\u0061\":3}]", .duplicateKey, 2)
    ])
    func refusals(_ text: String, _ kind: JSONError.Kind, _ column: Int) {
        #expect(throws: JSONError(kind, line: 1, column: column)) { try parse(text) }
    }

    @Test("Bytes that are no UTF-8 are refused wherever they stand")
    func invalidText() {
        for bad: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3]] {
            #expect(throws: JSONError(.invalidText, line: 1, column: 1)) { try JSON.parse([0x22] + bad + [0x22]) }
            #expect(throws: JSONError(.unexpectedCharacter, line: 1, column: 1)) { try JSON.parse(bad) }
        }
    }

    @Test("Line and column count what an editor shows")
    func place() {
        let text = "{\n  \"\u{E9}\": 1,\r\n  \"\u{1D11E}\": x\n}"
        #expect(throws: JSONError(.unexpectedCharacter, line: 3, column: 8)) { try parse(text) }
        #expect(JSONError(.truncated, line: 3, column: 8).message.hasSuffix("(line 3, column 8)."))
        let messages = JSONError.Kind.allCases.map { JSONError($0, line: 1, column: 1).message }
        #expect(Set(messages).count == messages.count)
    }

    @Test("Thirty-two levels are read, one more is refused")
    func depth() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let allowed = String(repeating: open, count: 31) + "[]" + String(repeating: close, count: 31)
            #expect(try parse(allowed).text == allowed)
            for levels in [33, 100_000] {
                let refused = String(repeating: open, count: levels)
                #expect(throws: JSONError(.tooDeep, line: 1, column: 32 * open.count + 1)) { try parse(refused) }
            }
        }
    }

    @Test("Keys that Unicode calls equivalent are two keys")
    func equivalentKeys() throws {
        let value = try parse("{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(value["\u{E9}"] == 1)
        #expect(value["e\u{301}"] == 2)
        #expect(JSON.string("\u{E9}") != .string("e\u{301}"))
    }
}
