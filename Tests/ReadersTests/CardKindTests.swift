import Testing

@testable import Readers

/// ATRs as readers make them up: PC/SC part 3, 3.1.3.2.3, and what cards with ISO-DEP say themselves.
@Suite("What an ATR tells of a card (V8)") struct CardKindTests {
    /// MIFARE Classic 1K and Ultralight, as CCID readers show them.
    static let plain: [[UInt8]] = [
        [0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x6A],
        [0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06, 0x03, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x68]
    ]

    @Test func cardsWithoutISODEPAreKnown() {
        for answer in Self.plain { #expect(CardKind(answerToReset: answer) == .plain) }
    }

    @Test func everythingElseIsAskedAsAPhoneIs() {
        let others: [[UInt8]] = [
            [],
            // Phones: no historical bytes.
            [0x3B, 0x80, 0x80, 0x01, 0x01],
            // DESFire EV1.
            [0x3B, 0x81, 0x80, 0x01, 0x80, 0x80],
            // ISO 15693: another standard.
            [0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06, 0x0B, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x77],
            Array(Self.plain[0].dropLast()), Self.plain[0] + [0x00]
        ]
        for answer in others { #expect(CardKind(answerToReset: answer) == .isoDEP) }
    }

    @Test func theWatcherKeepsWhatItSaw() {
        var observation = ReaderObservation(pcscName: "reader")
        observation.update(0x0000_0012)
        #expect(observation.card == nil)
        observation.update(0x0001_0022, answerToReset: Self.plain[0])
        #expect(observation.card == .plain)
        observation.update(0x0003_0022, answerToReset: [0x3B, 0x80, 0x80, 0x01, 0x01])
        #expect(observation.card == .isoDEP)
        observation.update(0x0004_0012)
        #expect(observation.card == nil)
    }
}
