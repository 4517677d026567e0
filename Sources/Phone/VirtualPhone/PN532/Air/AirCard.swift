/// What a card or phone shows at the air interface. Values are given as a PN532 reports them.
public struct AirCard: Sendable {
    /// 4, 7 or 10 bytes.
    public var identifier: [UInt8]
    /// SENS_RES, high byte first.
    public var answerToRequest: [UInt8]
    /// SEL_RES: bit 5 (20) says ISO-DEP.
    public var selectAcknowledge: UInt8
    /// With its length byte; empty for what does not speak ISO-DEP.
    public var answerToSelect: [UInt8]
    /// nil: answers every reader, as Android does.
    public var expressMode: ExpressMode?
    /// So often the phone asks for more time before each answer (S(WTX)).
    public var waitingTimeRequests = 0

    /// What Android's card emulation shows, with an identifier that is another one each time. It offers no higher bit rate.
    public static let phone = AirCard(
        identifier: [0x08, 0x5A, 0x7E, 0x11], answerToRequest: [0x00, 0x04], selectAcknowledge: 0x20,
        answerToSelect: [0x05, 0x78, 0x80, 0x70, 0x02])

    /// A card that has a number and nothing else.
    public static func plain(_ identifier: [UInt8]) -> AirCard {
        AirCard(identifier: identifier, answerToRequest: [0x00, identifier.count == 4 ? 0x04 : 0x44], selectAcknowledge: 0x08, answerToSelect: [])
    }

    var speaksISODEP: Bool { selectAcknowledge & 0x20 != 0 }

    /// True when the ATS offers both bit rates of a PPS1 byte: from the reader in bits 0 and 1, to it in bits 2 and 3
    /// (ISO/IEC 14443-4, 5.2.4 and 5.3.4).
    func offers(rates: UInt8) -> Bool {
        guard answerToSelect.count > 2, answerToSelect[1] & 0x10 != 0 else { return rates == 0 }
        let offer = answerToSelect[2]
        let isOffered = { (rate: UInt8, bits: UInt8) in rate == 0 || bits >> (rate - 1) & 1 == 1 }
        return rates < 0x10 && isOffered(rates & 0x03, offer & 0x07) && isOffered(rates >> 2 & 0x03, offer >> 4 & 0x07)
    }

    /// The parts in which the identifier is told, one for each cascade level, with the cascade tag where more follows
    /// (ISO/IEC 14443-3, 6.5.4).
    var cascade: [[UInt8]] {
        switch identifier.count {
        case 7: [[Self.cascadeTag] + identifier.prefix(3), Array(identifier.suffix(4))]
        case 10: [[Self.cascadeTag] + identifier.prefix(3), [Self.cascadeTag] + identifier[3..<6], Array(identifier.suffix(4))]
        default: [identifier]
        }
    }

    static let cascadeTag: UInt8 = 0x88
    static let cascadeIncomplete: UInt8 = 0x04
}
