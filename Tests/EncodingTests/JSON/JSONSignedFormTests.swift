import Encoding
import Testing

@Suite("The form of JSON that TUF metadata is signed in")
struct JSONSignedFormTests {
    private func form(_ text: String) throws -> String? {
        try JSON.parse(Array(text.utf8)).signedForm.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("No white space, sorted keys, every kind of value")
    func kinds() throws {
        #expect(try form(#"{ "b" : [ 1 , true, null, false, [], {} ] , "a" : {"y":"", "x": -2} }"#)
            == #"{"a":{"x":-2,"y":""},"b":[1,true,null,false,[],{}]}"#)
        #expect(try form("-0") == "0")
        #expect(try form("9223372036854775807") == "9223372036854775807")
    }

    @Test("Only quotes and backslashes are escaped: the line feeds of a PEM stand as they are")
    func strings() throws {
        #expect(try form(#""a\nb\t\"\\\/é\u0001""#) == "\"a\nb\t\\\"\\\\/\u{E9}\u{1}\"")
    }

    @Test("Keys are sorted by code points, not by UTF-16 as in RFC 8785")
    func order() throws {
        // U+FB33 is before U+1F600, whose first UTF-16 unit is D83D.
        let value: JSON = ["\u{1F600}": 1, "\u{FB33}": 2, "a": 3, "B": 4]
        #expect(value.signedForm == Array("{\"B\":4,\"a\":3,\"\u{FB33}\":2,\"\u{1F600}\":1}".utf8))
        #expect(value.signedForm != value.canonical)
    }

    @Test("A number that is no integer of 64 bits has no form, wherever it stands", arguments: [
        "1.0", "1e2", "9223372036854775808", "-9223372036854775809", "[0.5]", #"{"a":{"b":[1e400]}}"#
    ])
    func numbers(_ text: String) throws {
        guard let value = try? JSON.parse(Array(text.utf8)) else { return #expect(text.contains("e400")) }
        #expect(value.signedForm == nil)
    }

    @Test("What was signed once is signed alike when read again")
    func stable() throws {
        let text = #"{"z":[{"k\"\\":"\u00e9"}],"a":{"b":{"c":-1}}}"#
        let first = try #require(try JSON.parse(Array(text.utf8)).signedForm)
        #expect(try JSON.parse(first).signedForm == first)
    }
}
