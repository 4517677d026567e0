import Encoding
import Testing

@Suite("Canonical JSON")
struct JSONCanonicalTests {
    @Test("Keys are sorted by UTF-16 code units (RFC 8785, 3.2.3)")
    func order() {
        let object: JSON = [
            "\u{20AC}": "Euro Sign", "\r": "Carriage Return", "\u{FB33}": "Hebrew Letter Dalet With Dagesh",
            "1": "One", "\u{1F600}": "Emoji: Grinning Face", "\u{80}": "Control",
            "\u{F6}": "Latin Small Letter O With Diaeresis"
        ]
        #expect(object.object?.keys == ["\r", "1", "\u{80}", "\u{F6}", "\u{20AC}", "\u{1F600}", "\u{FB33}"])
    }

    @Test("One line without spaces, whatever it came from")
    func oneLine() throws {
        let value = try JSON.parse(Array("{ \"b\" : [ 1 , true, null ] ,\n\"a\" : {\"y\":\"\\n\",\"x\":-2} }".utf8))
        #expect(value.text == #"{"a":{"x":-2,"y":"\n"},"b":[1,true,null]}"#)
        #expect(try JSON.parse(value.canonical) == value)
        #expect(JSON.object([:]).text == "{}")
        #expect(JSON.array([]).text == "[]")
    }

    @Test("Strings escape what they must and nothing more")
    func strings() {
        let string = JSON.string("\u{0}\u{1F}\u{7F}\"\\/\u{8}\u{9}\u{A}\u{C}\u{D}\u{2028}\u{1D11E}<")
        #expect(string.text == "\"\\u0000\\u001f\u{7F}\\\"\\\\/\\b\\t\\n\\f\\r\u{2028}\u{1D11E}<\"")
    }

    @Test("Numbers as ECMAScript writes them (RFC 8785, appendix B)", arguments: [
        (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
        (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
        (0xC340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
        (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"), (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
        (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
        (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
        (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
        (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
        (0x41B3_DE43_5555_5557, "333333333.33333343"), (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
        (0x4314_3FF3_C1CB_0959, "1424953923781206.2"), (0x7FF0_0000_0000_0000, "null")
    ] as [(UInt64, String)])
    func numbers(_ bits: UInt64, _ text: String) {
        #expect(JSON.number(Double(bitPattern: bits)).text == text)
    }

    @Test("Integers keep all their digits")
    func integers() {
        #expect(JSON(Int64.max).text == "9223372036854775807")
        #expect(JSON(Int64.min).text == "-9223372036854775808")
        #expect(JSON.number(1.5).text == "1.5")
        #expect(JSON.number(-100).text == "-100")
    }

    @Test("An object changes member by member and stays sorted")
    func mutation() {
        var object: JSONObject = ["b": 1, "a": 2, "b": 3]
        object["c"] = 4
        object["aa"] = 5
        object["a"] = 6
        object["b"] = nil
        object["z"] = nil
        #expect(JSON.object(object).text == #"{"a":6,"aa":5,"c":4}"#)
        #expect(object.map(\.key) == ["a", "aa", "c"])
        #expect(JSONObject().count == 0)
    }

    @Test("Equal values have equal hashes")
    func hashes() {
        let all: [JSON] = [.null, true, false, 0, 0.5, "0", [0], ["0": 0]]
        #expect(Set(all + all).count == all.count)
        #expect(all.compactMap(\.bool) == [true, false])
        #expect(all.compactMap(\.string) == ["0"])
        #expect(all.compactMap(\.number) == [0, 0.5])
    }
}
