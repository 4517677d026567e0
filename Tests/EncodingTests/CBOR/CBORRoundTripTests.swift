import Encoding
import Testing

@Suite("CBOR items and their encodings")
struct CBORRoundTripTests {
    @Test("Every half precision number keeps its value and its two bytes")
    func halves() throws {
        for bits in UInt16.min...UInt16.max {
            let raw: [UInt8] = [0xF9, UInt8(bits >> 8), UInt8(bits & 0xFF)]
            let isNaN = bits & 0x7FFF > 0x7C00
            let item = try CBOR.decode(raw, rules: .wellFormed)
            let expected: [UInt8] = isNaN ? [0xF9, 0x7E, 0x00] : raw
            #expect(item.encoded == expected)
        }
    }

    @Test("Maps are written in the bytewise order of their keys, however they were built")
    func mapOrder() {
        let map: CBOR = ["aa": 1, 100: 2, -1: 3, 10: 4, "z": 5, [100]: 6, [-1]: 7, false: 8]
        #expect(Hex.encode(map.encoded) == "a80a041864022003617a056261610181186406812007f408")
    }

    @Test("Equality is that of the bytes, not of Unicode or of numbers")
    func equality() {
        #expect(CBOR.text("\u{E9}") != CBOR.text("e\u{301}"))
        #expect(CBOR.float(0) != CBOR.float(-0.0))
        #expect(CBOR.float(.nan) == CBOR.float(-.nan))
        #expect(CBOR.float(1) != CBOR.unsigned(1))
    }
}
