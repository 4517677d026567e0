import Encoding
import Testing

@Suite("Reading CBOR sequences item by item")
struct CBORReaderTests {
    @Test("Items come one by one, each with its bytes as received")
    func sequence() throws {
        let received = try Hex.decode("01" + "1802" + "820304" + "6161")
        var reader = CBORReader(received, rules: .wellFormed)
        #expect(try reader.next() == 1)
        let second = try reader.nextRaw()
        #expect(second.item == 2)
        #expect(second.raw == [0x18, 0x02])
        #expect(reader.offset == 3)
        #expect(try reader.nextRaw().raw == [0x82, 0x03, 0x04])
        #expect(!reader.isAtEnd)
        #expect(try reader.next() == "a")
        #expect(reader.isAtEnd)
        #expect(throws: CBORError(.truncated, at: 8)) { try reader.next() }
    }

    @Test("After an error the reader is where it was")
    func errorKeepsPlace() throws {
        var reader = CBORReader([0x00, 0x82, 0x01])
        _ = try reader.next()
        #expect(throws: CBORError.self) { try reader.next() }
        #expect(reader.offset == 1)
        var longer = CBORReader([0x00, 0x82, 0x01, 0x02], from: reader.offset)
        #expect(try longer.next() == [1, 2])
    }

    @Test("A sequence is written and read whole")
    func wholeSequence() throws {
        let items: [CBOR] = [1, "two", [3]]
        let bytes = CBOR.encodeSequence(items)
        #expect(Hex.encode(bytes) == "016374776f8103")
        #expect(try CBOR.decodeSequence(bytes) == items)
        #expect(try CBOR.decodeSequence([]) == [])
        #expect(throws: CBORError(.truncated, at: 5)) { try CBOR.decodeSequence(bytes.dropLast()) }
    }

    @Test("A writer takes items, raw bytes and array heads")
    func writer() {
        var writer = CBORWriter()
        writer.appendArrayHead(count: 2)
        writer.append(raw: [0x18, 0x01])
        writer.append("a")
        #expect(Hex.encode(writer.bytes) == "8218016161")
    }

    @Test("A million small items in one array are read")
    func manyItems() throws {
        let count = 1_000_000
        var bytes: [UInt8] = [0x9A, 0x00, 0x0F, 0x42, 0x40]
        bytes += Array(repeating: 0x00, count: count)
        #expect(try CBOR.decode(bytes).array?.count == count)
    }
}
