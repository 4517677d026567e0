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

/// What an ATR says about whom the reader has before it (PC/SC part 3, 3.1.3.2.3).
enum CardKind: Hashable {
    /// A card without ISO-DEP: the reader makes up an ATR that tells its kind, and gives its number itself.
    case plain
    /// Anything else, phones among it: its ATR has its own historical bytes.
    case isoDEP

    /// The parts of such an ATR: initial bytes, then the RID of the PC/SC Workgroup behind tag and length, then the standard: 03 is
    /// ISO 14443 A, part 3.
    private static let beginning: [UInt8] = [0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06, 0x03]
    private static let length = 20

    init(answerToReset: [UInt8]) {
        self = answerToReset.count == Self.length && answerToReset.starts(with: Self.beginning) ? .plain : .isoDEP
    }
}
