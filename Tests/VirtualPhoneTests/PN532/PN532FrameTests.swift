import Testing

@testable import VirtualPhone

/// Frames between host and chip: UM0701-02, 6.2.1.
@Suite struct PN532FrameTests {
    private func frames(_ bytes: [UInt8]) -> [PN532Frame] {
        var reader = PN532FrameReader()
        return bytes.compactMap { reader.read($0) }
    }

    @Test func theFramesOfTheManual() {
        #expect(PN532Frame.acknowledge.encoded == [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00])
        #expect(PN532Frame.notAcknowledge.encoded == [0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00])
        #expect(PN532Frame.syntaxError.encoded == [0x00, 0x00, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0x00])
        // GetFirmwareVersion: LEN 02, LCS FE, TFI D4, PD0 02, DCS 2A.
        #expect(PN532Frame.information([0xD4, 0x02]).encoded == [0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0x00])
        #expect(frames([0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0x00]) == [.information([0xD4, 0x02])])
    }

    @Test(arguments: [1, 2, 254, 255, 256, 257, 264, 265])
    func everyLengthComesBack(count: Int) {
        let frame = PN532Frame.information((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        #expect(frames(frame.encoded) == [frame])
        // From 256 on: FF FF, then two bytes of length with their checksum.
        let isExtended = Array(frame.encoded[3...4]) == [0xFF, 0xFF]
        #expect(isExtended == (count > 255))
        #expect(frame.encoded.count == count + (isExtended ? 10 : 7))
    }

    @Test func anExtendedFrameMayBeShort() {
        #expect(frames([0x00, 0x00, 0xFF, 0xFF, 0xFF, 0x00, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0x00]) == [.information([0xD4, 0x02])])
    }

    @Test func noiseAndLongPreamblesArePassedOver() {
        let frame = PN532Frame.information([0xD4, 0x14, 0x01])
        let noise: [UInt8] = [0x55, 0x55, 0xFF, 0xFF, 0x12, 0x00, 0x13, 0x00, 0x00, 0x00, 0x00]
        #expect(frames(noise + frame.encoded + noise + PN532Frame.acknowledge.encoded) == [frame, .acknowledge])
    }

    /// The chip does not answer what it cannot check; whatever is good behind it is understood.
    @Test func everyBitOfAFrameIsChecked() {
        let frame = PN532Frame.information([0xD4, 0x4A, 0x01, 0x00])
        let good = frame.encoded
        for index in 3..<good.count - 1 {
            for bit in 0..<8 {
                var bad = good
                bad[index] ^= 1 << bit
                let found = frames(bad + [UInt8](repeating: 0, count: 300) + good)
                #expect(!found.dropLast().contains { if case .information = $0 { true } else { false } }, "byte \(index), bit \(bit)")
                #expect(found.last == frame, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test(arguments: [0, 266, 0xFFFF])
    func lengthsThatCannotBeAreRefused(count: Int) {
        let length: [UInt8] = [UInt8(count >> 8), UInt8(count & 0xFF)]
        let head: [UInt8] = [0x00, 0x00, 0xFF, 0xFF, 0xFF] + length + [PN532Frame.complement(length)]
        let good = PN532Frame.information([0xD4, 0x02])
        #expect(frames(head + [UInt8](repeating: 0xD4, count: 16) + good.encoded) == [good])
    }
}
