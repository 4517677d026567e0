import Encoding
import Testing

@Suite("BER-TLV data objects")
struct BERTLVTests {
    @Test("A file control information template, both ways")
    func template() throws {
        // 6F FCI template { 84 DF name, A5 proprietary { 5C one byte, 7F49 { 86 } } }
        let hex = "6f1584" + "09f074617073" + "74696c65" + "a508" + "5c0101" + "7f49028600"
        let bytes = try Hex.decode(hex)
        let object = try BERTLV.parseOne(bytes)
        #expect(object.tag == 0x6F)
        #expect(object.isConstructed)
        let parts = try object.children()
        #expect(parts.map(\.tag) == [0x84, 0xA5])
        #expect(parts.first(tag: 0x84)?.value.count == 9)
        #expect(parts.first(tag: 0x85) == nil)
        let inner = try #require(parts.first(tag: 0xA5)).children()
        #expect(inner.map(\.tag) == [0x5C, 0x7F49])
        #expect(inner[1].isConstructed)
        #expect(try inner[1].children() == [BERTLV(tag: 0x86, value: [])])
        let built = BERTLV(tag: 0x6F, children: [
            BERTLV(tag: 0x84, value: parts[0].value), BERTLV(tag: 0xA5, children: inner)
        ])
        #expect(built.encoded == bytes)
    }

    @Test("Lengths around each border of their field", arguments: [
        (0, "00"), (127, "7f"), (128, "8180"), (255, "81ff"), (256, "820100"), (65_535, "82ffff"),
        (65_536, "83010000")
    ])
    func lengths(_ count: Int, _ field: String) throws {
        let object = BERTLV(tag: 0x53, value: [UInt8](repeating: 0, count: count))
        #expect(Hex.encode(object.encoded.dropLast(count)) == "53" + field)
        #expect(try BERTLV.parseOne(object.encoded) == object)
        let cut = Array(object.encoded.dropLast())
        #expect(throws: BERTLVError(.truncated, at: count == 0 ? 1 : 0)) { try BERTLV.parse(cut) }
    }

    @Test("Tags of one, two and three bytes", arguments: [
        (0x04, false), (0x30, true), (0x5F2D, false), (0x7F49, true), (0x9F8101, false), (0xBFFF7F, true)
    ] as [(UInt32, Bool)])
    func tags(_ tag: UInt32, _ constructed: Bool) throws {
        let object = BERTLV(tag: tag, value: [])
        #expect(object.isConstructed == constructed)
        #expect(try BERTLV.parseOne(object.encoded) == object)
    }

    @Test("What is refused", arguments: [
        ("0000", BERTLVError.Kind.invalidTag, 0), ("84010000", .invalidTag, 3), ("1f1e00", .invalidTag, 0),
        ("1f808100", .invalidTag, 0), ("1f81828300", .invalidTag, 0), ("1f81800100", .invalidTag, 0),
        ("84800000", .invalidLength, 1), ("84ff", .invalidLength, 1), ("84850000000001ff", .invalidLength, 1),
        ("84", .truncated, 1), ("1f", .truncated, 1), ("1f81", .truncated, 2), ("8402ff", .truncated, 0),
        ("8482ff", .truncated, 3), ("8484ffffffff00", .truncated, 0), ("84008402ff", .truncated, 2)
    ])
    func refusals(_ hex: String, _ kind: BERTLVError.Kind, _ offset: Int) throws {
        let bytes = try Hex.decode(hex)
        #expect(throws: BERTLVError(kind, at: offset)) { try BERTLV.parse(bytes) }
    }

    @Test("Lengths longer than need be are read and written short")
    func longLengths() throws {
        for hex in ["84810155", "8482000155", "848300000155", "84840000000155"] {
            let object = try BERTLV.parseOne(Hex.decode(hex))
            #expect(object.encoded == [0x84, 0x01, 0x55])
        }
    }

    @Test("One object means one; none is none")
    func one() throws {
        #expect(throws: BERTLVError(.trailingBytes, at: 2)) { try BERTLV.parseOne([0x84, 0, 0x84, 0]) }
        #expect(throws: BERTLVError(.truncated, at: 0)) { try BERTLV.parseOne([]) }
        #expect(try BERTLV.parse([]) == [])
        #expect(throws: BERTLVError(.notConstructed, at: 0)) { try BERTLV(tag: 0x84, value: []).children() }
        #expect(Set(BERTLVError.Kind.allCases.map { BERTLVError($0, at: 0).message }).count == 5)
    }
}
