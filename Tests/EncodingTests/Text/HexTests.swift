import Encoding
import Testing

@Suite("Hexadecimal text")
struct HexTests {
    @Test("Every byte, both ways, and upper case too")
    func everyByte() throws {
        let bytes = (0...255).map { UInt8($0) }
        let text = Hex.encode(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(try Hex.decode(text) == bytes)
        #expect(try Hex.decode(text.uppercased()) == bytes)
        #expect(try Hex.decode("") == [])
    }

    @Test("Anything else is refused", arguments: [
        ("0", HexError.oddLength(count: 1)), ("000", .oddLength(count: 3)), ("0g", .notADigit(offset: 1)),
        (" 00", .notADigit(offset: 0)), ("00 00", .notADigit(offset: 2)), ("0x00", .notADigit(offset: 1)),
        ("00\n", .notADigit(offset: 2)), ("\u{FF10}0", .notADigit(offset: 0)), ("-1", .notADigit(offset: 0)),
        ("/0", .notADigit(offset: 0)), (":0", .notADigit(offset: 0)), ("@0", .notADigit(offset: 0)),
        ("G0", .notADigit(offset: 0)), ("`0", .notADigit(offset: 0))
    ])
    func refused(_ text: String, _ error: HexError) {
        #expect(throws: error) { try Hex.decode(text) }
        #expect(error.code.hasPrefix("hex-") && error.message.hasSuffix("."))
    }
}
