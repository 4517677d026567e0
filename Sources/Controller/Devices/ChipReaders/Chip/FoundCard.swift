import Encoding
import ReaderProtocol

/// What the chip has found in its field and selected.
struct FoundCard: Hashable, Sendable {
    /// ISO/IEC 14443-3, 6.4.2; the high byte first.
    let answerToRequest: UInt16
    /// ISO/IEC 14443-3, 6.4.3.4.
    let selectAcknowledge: UInt8
    /// 4, 7 or 10 bytes.
    let identifier: [UInt8]
    /// ISO/IEC 14443-4, 5.2, without its length; empty where there was none.
    let answerToSelect: [UInt8]

    /// ISO/IEC 14443-3, 6.4.3.4, table 9.
    private static let isoDEPBit: UInt8 = 0x20

    var kind: ReportedCard.Kind { selectAcknowledge & Self.isoDEPBit != 0 ? .isoDEP : .plain }

    /// For the gate.
    /// - Throws: where it is no card that can be; nothing that the chip says may be trusted.
    func reported(as presentation: UInt32) throws(FrameError) -> ReportedCard {
        try ReportedCard(
            presentation: presentation, kind: kind, atqa: answerToRequest, sak: selectAcknowledge, uid: identifier,
            answerToSelect: kind == .isoDEP ? answerToSelect : [])
    }

    // T0 and TA(1) (ISO/IEC 14443-4, 5.2.3 and 5.2.4).
    private static let ratesFollowBit: UInt8 = 0x10

    /// The highest rate up to `limit` that the phone offers in both directions; nil where that is 106 kbit/s.
    func bitRate(upTo limit: ReaderBitRate) -> ReaderBitRate? {
        guard answerToSelect.count > 1, answerToSelect[0] & Self.ratesFollowBit != 0 else { return nil }
        let offer = answerToSelect[1]
        // Bits 0 to 2: from the reader, 4 to 6: to it.
        let both = offer & (offer >> 4) & 0x07
        let rates: [ReaderBitRate] = [.kilobits424, .kilobits212]
        return rates.first { $0.rawValue <= limit.rawValue && both & (1 << ($0.rawValue - 1)) != 0 }
    }
}
