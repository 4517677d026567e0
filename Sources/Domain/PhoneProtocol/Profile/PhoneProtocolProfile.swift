import Cryptography

/// The numbers of the onTouch protocol over NFC and Bluetooth (docs/phone-protocol.md). None of the EAD labels is
/// registered with IANA.
public enum PhoneProtocolProfile {
    /// Protocol version spoken here.
    public static let version = 1

    /// Application identifier: proprietary category (ISO/IEC 7816-4, 12.2.3), then "tapstil" and "e".
    public static let applicationIdentifier: [UInt8] = [0xF0, 0x74, 0x61, 0x70, 0x73, 0x74, 0x69, 0x6C, 0x65]

    /// SELECT (ISO/IEC 7816-4, 11.2.2) by DF name, first or only occurrence, return FCI.
    public static let selectInstruction: UInt8 = 0xA4
    public static let selectByName: UInt8 = 0x04
    /// Class of interindustry commands.
    public static let interindustryClass: UInt8 = 0x00
    /// Class of our own commands (ISO/IEC 7816-4, 5.4.1: proprietary).
    public static let proprietaryClass: UInt8 = 0x80
    /// EXCHANGE: carries EDHOC.
    public static let exchangeInstruction: UInt8 = 0xE2
    /// OUTCOME: carries the encrypted result.
    public static let outcomeInstruction: UInt8 = 0xE4

    /// FCI template and, in it, proprietary BER-TLV (ISO/IEC 7816-4, 7.4.3).
    static let fileControlTag: UInt32 = 0x6F
    static let proprietaryTag: UInt32 = 0xA5
    /// Versions the phone speaks, a byte each.
    static let versionsTag: UInt32 = 0x80
    /// message_1.
    static let messageTag: UInt32 = 0x81

    /// EAD_2, critical: what the gate says of itself.
    public static let gateContextLabel = 54353
    /// EAD_3, critical: what the phone wants and saw.
    public static let phoneRequestLabel = 54354
    /// EAD_3, critical: a token beside a CCS.
    public static let tokenLabel = 54355
    /// EAD_1, not critical: the lane that the phone would like.
    public static let requestedLaneLabel = 54356

    /// Exporter label of the key that protects gate to phone (RFC 9528, 10.1: private use).
    public static let gateToPhoneKeyLabel: UInt16 = 32768
    /// Exporter label of the nonce that counts gate to phone.
    public static let gateToPhoneNonceLabel: UInt16 = 32769
    /// Exporter labels kept for phone to gate.
    public static let phoneToGateKeyLabel: UInt16 = 32770
    public static let phoneToGateNonceLabel: UInt16 = 32771

    /// Longest gate or lane name in bytes of UTF-8: with a credential by `kid`, message_2 stays one short command.
    public static let maximumNameLength = 32
    /// Longest command name in bytes of UTF-8.
    public static let maximumCommandLength = 32
    /// Longest language tag in bytes (RFC 5646, 4.4.1).
    public static let maximumLanguageLength = 35
    /// Command of a phone that names none (T10).
    public static let defaultCommand = "tokn"

    /// Longest answer to SELECT: message_1 with padding fits several times.
    static let maximumSelectAnswer = 255
    /// Longest answer to EXCHANGE, over all its parts.
    static let maximumExchangeAnswer = EDHOCLimits.maximumMessage
    /// Longest answer to OUTCOME: nothing is expected.
    static let maximumOutcomeAnswer = 255
    /// Longest data of EXCHANGE and OUTCOME, over all links of a chain (ISO/IEC 7816-4, 5.3.3).
    public static let maximumCommandData = EDHOCLimits.maximumMessage

    /// Longest value of the characteristic over Bluetooth, either way. An attribute has at most 512 bytes (Bluetooth
    /// Core Specification, Vol 3, Part F, 3.2.9).
    public static let maximumValue = 500

    /// Curve of the long-term keys that agree, of gates and of people: with them (methods 1 to 3) suite 6 cannot be had.
    static let staticCurve = Curve.p256

    /// C_R and C_I: one exchange at a time needs no distinction (RFC 9528, 3.3).
    static let connectionIdentifier: [UInt8] = [0x00]
}
