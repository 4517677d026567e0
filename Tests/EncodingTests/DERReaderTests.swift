import Testing
@testable import Encoding

/// DER has one form for each value (X.690, 10 and 11).
@Suite struct DERReaderTests {
    private func element(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] { tag + [UInt8(content.count)] + content }

    @Test("A tag [number] is read at each of its lengths", arguments: [0, 1, 30, 31, 127, 128, 504, 709, 719, 16383])
    func contextTags(_ number: Int) {
        let tag = DERTag.context(number)
        #expect(tag.contextNumber == number)
        let bytes = (0..<4).reversed().map { UInt8(truncatingIfNeeded: tag.rawValue >> (8 * $0)) }.drop { $0 == 0 }
        var file = DERReader(element(Array(bytes), [0x05, 0x00]))
        #expect(file.begins(with: tag))
        #expect(file.read(tag).map(Array.init) == [0x05, 0x00])
        #expect(file.isAtEnd)
    }

    @Test("[704] is written as X.690 says")
    func bootTag() {
        #expect(DERTag.context(704).rawValue == 0xBF8540)
        #expect(DERTag.context(30).rawValue == 0xBE)
        #expect(DERTag.context(31).rawValue == 0xBF1F)
        for other in [DERTag.sequence, .set, .boolean, .utcTime] { #expect(other.contextNumber == nil) }
    }

    @Test("A tag in a longer form is none", arguments: [
        [0xBF, 0x1E], [0xBF, 0x00], [0xBF, 0x80, 0x40], [0xBF, 0x81], [0xBF], [0xBF, 0x85, 0xC0, 0x01], [0xBF, 0xFF, 0xFF, 0xFF, 0x7F]
    ] as [[UInt8]])
    func longerTags(_ tag: [UInt8]) {
        var file = DERReader(tag + [0x00])
        #expect(file.readAny() == nil)
    }

    @Test("A length beyond the end, or in another form, is refused", arguments: [
        [0x04, 0x02, 0x00], [0x04, 0x80, 0x00, 0x00], [0x04, 0x81, 0x01, 0x00], [0x04, 0x82, 0x00, 0x80], [0x04, 0x83, 0x00, 0x00, 0x01, 0x00],
        [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x04], []
    ] as [[UInt8]])
    func lengthsThatLie(_ bytes: [UInt8]) {
        var file = DERReader(bytes)
        #expect(file.read(.octetString) == nil)
    }

    @Test("Numbers from zero up, in the shortest form")
    func numbers() {
        func read(_ content: [UInt8]) -> Int64? {
            var file = DERReader(element([0x02], content))
            return file.readNumber()
        }
        #expect(read([0x00]) == 0)
        #expect(read([0x7F]) == 127)
        #expect(read([0x00, 0x80]) == 128)
        #expect(read([0x00, 0xFF, 0xFF, 0xFF, 0xFF]) == 0xFFFF_FFFF)
        #expect(read([0x7F] + [UInt8](repeating: 0xFF, count: 7)) == .max)
        for content in [[], [0x80], [0xFF], [0x00, 0x00], [0x00, 0x7F], [0x00, 0x80] + [UInt8](repeating: 0, count: 7)] as [[UInt8]] {
            #expect(read(content) == nil)
        }
    }

    @Test("A boolean is all bits or none")
    func booleans() {
        func read(_ content: [UInt8]) -> Bool? {
            var file = DERReader(element([0x01], content))
            return file.readBoolean()
        }
        #expect(read([0xFF]) == true)
        #expect(read([0x00]) == false)
        for content in [[0x01], [], [0xFF, 0xFF]] as [[UInt8]] { #expect(read(content) == nil) }
    }

    @Test("An element is given back as it stands there, and what follows it is left")
    func wholeElements() {
        var file = DERReader([0x30, 0x03, 0x02, 0x01, 0x05, 0x01, 0x01, 0xFF])
        #expect(file.readWhole(.set) == nil)
        #expect(file.readWhole(.sequence) == [0x30, 0x03, 0x02, 0x01, 0x05])
        #expect(!file.isAtEnd)
        #expect(file.readBoolean() == true)
        #expect(file.isAtEnd)
    }
}
