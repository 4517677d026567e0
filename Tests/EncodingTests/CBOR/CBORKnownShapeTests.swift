import Encoding
import Testing

/// Items read one by one where their shape is known.
@Suite struct CBORKnownShapeTests {
    @Test func eachReadsItsOwnTypeAlone() {
        let items: [CBOR] = [.unsigned(7), .unsigned(1 << 40), .bytes([1, 2]), .text("é"), .array([]), .negative(0), .null, .true, .float(1)]
        for item in items {
            var reader = CBORReader(item.encoded)
            #expect(reader.nextUnsigned() == item.unsignedInteger)
            reader = CBORReader(item.encoded)
            #expect(reader.nextBytes() == item.bytes)
            #expect(reader.isAtEnd == (item.bytes != nil))
            reader = CBORReader(item.encoded)
            #expect(reader.nextText() == item.text)
            #expect(reader.offset == (item.text == nil ? 0 : item.encoded.count))
            reader = CBORReader(item.encoded)
            #expect(reader.nextArrayCount() == item.array.map { UInt64($0.count) })
        }
    }

    @Test func nothingIsReadOfWhatIsNotInOrder() {
        // Cut off, longer than need be, more than there is, no UTF-8.
        let flawed: [[UInt8]] = [
            [], [0x18], [0x18, 0x05], [0x58, 0x02, 1], [0x61, 0xFF], [0x62, 0x61], [0x1C], [0x5F, 0xFF], [0x1B, 0, 0, 0, 0, 0, 0, 0, 1]
        ]
        for bytes in flawed {
            var reader = CBORReader(bytes)
            #expect(reader.nextUnsigned() == nil)
            #expect(reader.nextBytes() == nil)
            #expect(reader.nextText() == nil)
            #expect(reader.nextArrayCount() == nil)
            #expect(reader.offset == 0)
        }
    }

    @Test func anItemThatIsKnownIsPassedOver() {
        var reader = CBORReader([0x81, 0x61, 0x61, 0x05])
        let known: [[UInt8]] = [[0x81, 0x61, 0x62], [], [0x81, 0x61, 0x61, 0x05, 0x05]]
        for other in known {
            let isThere = reader.skip(other)
            #expect(!isThere)
        }
        #expect(reader.offset == 0)
        let isThere = reader.skip([0x81, 0x61, 0x61])
        #expect(isThere)
        #expect(reader.raw(from: 1) == [0x61, 0x61])
        #expect(reader.nextUnsigned() == 5)
        #expect(reader.isAtEnd)
        var tolerant = CBORReader([0x05], rules: .wellFormed)
        let isKnown = tolerant.skip([0x05])
        #expect(!isKnown)
    }
}
