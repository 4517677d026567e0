import Testing

@testable import ChipReaders

/// How long the chip waits, by what libnfc makes of a number of milliseconds.
@Suite struct AirPatienceTests {
    /// What libnfc 1.8 does with NP_TIMEOUT_COM (chips/pn53x.c): it halves 3,280 as long as the value is no greater.
    private static func exponent(libnfc milliseconds: Int32) -> Int {
        var (exponent, bound) = (16, Int32(3_280))
        while bound > 1, milliseconds <= bound {
            exponent -= 1
            bound /= 2
        }
        return exponent
    }

    @Test func libnfcTellsTheChipWhatIsMeant() {
        for milliseconds: UInt16 in [1, 6, 13, 26, 52, 103, 205, 410, 820, 1_600, 3_200, 5_000] {
            let patience = AirPatience.exchange(milliseconds: milliseconds)
            #expect(Self.exponent(libnfc: patience.libnfcMilliseconds) == patience.exponent)
        }
        for patience in [AirPatience.polling, .asking] {
            #expect(Self.exponent(libnfc: patience.libnfcMilliseconds) == patience.exponent)
        }
    }

    static let settings: [(UInt16, Int64)] = [
        (1, 6_400), (800, 819_200), (1_000, 819_200), (1_598, 819_200), (1_600, 1_638_400), (3_196, 1_638_400),
        (3_200, 3_276_800), (65_535, 3_276_800)
    ]

    @Test(arguments: settings)
    func aPhoneHasTheTimeThatTheSettingSays(milliseconds: UInt16, microseconds: Int64) {
        #expect(AirPatience.exchange(milliseconds: milliseconds).microseconds == microseconds)
    }

    @Test func theChipSpeaksFirst() {
        #expect(AirPatience.polling.microseconds == 6_400)
        // libnfc waits 300 ms when it asks whether a phone is still there.
        #expect(AirPatience.asking.microseconds == 102_400)
        #expect(AirPatience.exchange(milliseconds: 1_600).hostMilliseconds == 1_938)
    }
}
