import CPCSC

/// Reads the number of a UID-only card (V8).
///
/// By its number is known only who has no ISO-DEP: the ATR of this very connection says so. Whoever has ISO-DEP is asked as a phone is, and is
/// nobody if it refuses: the number of a phone is made up, and that of a smart card would be asked for in the place of what it can prove.
enum UIDOnlyCardReading {
    /// GET DATA for the number (PC/SC part 3, 3.2.2.1.3). The reader answers by itself.
    private static let getNumber: [UInt8] = [0xFF, 0xCA, 0x00, 0x00, 0x00]
    /// Two bytes behind the number.
    private static let success: [UInt8] = [0x90, 0x00]

    /// As the driver has it. Not from SCardStatus: it writes to the table that the watcher's calls read, unlocked, inside libpcsclite 1.9.9.
    private static func answerToReset(of card: PCSCCard) -> [UInt8]? {
        // vpcd 3.3 knows it by the drivers' own tag only, which libccid takes too.
        card.attribute(CPCSC_ATTRIBUTE_ATR) ?? card.attribute(CPCSC_TAG_ATR)
    }

    /// The number; nil if it is no UID-only card, or the reader does not tell.
    static func number(of card: PCSCCard, over link: PCSCLink) throws(LinkError) -> [UInt8]? {
        guard let answerToReset = answerToReset(of: card), CardKind(answerToReset: answerToReset) == .plain else { return nil }
        let response = try link.transmit(getNumber)
        guard response.count > success.count, response.suffix(success.count).elementsEqual(success) else { return nil }
        return Array(response.dropLast(success.count))
    }
}
