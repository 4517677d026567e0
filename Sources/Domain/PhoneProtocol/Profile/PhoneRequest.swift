import Credentials
import Encoding

/// What a phone says in EAD_3: where it believes to be, and what it wants.
public struct PhoneRequest: Hashable, Sendable {
    /// What made the phone run the command.
    public enum Trigger: Sendable, Hashable {
        /// The field, without anybody doing anything.
        case automatic
        /// A person, in the app.
        case manual
    }

    /// The carrier as the phone sees it.
    public var carrier: Carrier
    /// The lane that EAD_2 named.
    public var lane: String
    /// The command to run, nil for the default.
    public var namedCommand: String?
    public var trigger: Trigger
    /// Whether the app was in front.
    public var isForeground: Bool
    /// Whether the screen was unlocked, as far as the phone says.
    public var isUnlocked: Bool
    /// Whether this phone can do NFC (T2).
    public var canUseNFC: Bool
    /// Language of the person (BCP 47), nil if not said.
    public var language: String?

    public init(
        carrier: Carrier, lane: String, namedCommand: String? = nil, trigger: Trigger = .automatic,
        isForeground: Bool = false, isUnlocked: Bool = false, canUseNFC: Bool = true, language: String? = nil
    ) {
        self.carrier = carrier
        self.lane = lane
        self.namedCommand = namedCommand
        self.trigger = trigger
        self.isForeground = isForeground
        self.isUnlocked = isUnlocked
        self.canUseNFC = canUseNFC
        self.language = language
    }

    /// The command to run: `tokn` where none is named (T10).
    public var command: String { namedCommand ?? PhoneProtocolProfile.defaultCommand }

    private static let manualFlag: UInt64 = 1
    private static let foregroundFlag: UInt64 = 2
    private static let canUseNFCFlag: UInt64 = 4
    private static let unlockedFlag: UInt64 = 8
    private static let allFlags: UInt64 = 15

    private var flags: UInt64 {
        (trigger == .manual ? Self.manualFlag : 0) | (isForeground ? Self.foregroundFlag : 0)
            | (canUseNFC ? Self.canUseNFCFlag : 0) | (isUnlocked ? Self.unlockedFlag : 0)
    }

    /// The critical EAD item.
    public var item: EADItem {
        let value: CBOR = .array([
            .unsigned(carrier.number), .text(lane), namedCommand.map { .text($0) } ?? .null,
            .unsigned(flags), language.map { .text($0) } ?? .null
        ])
        return EADItem(label: PhoneProtocolProfile.phoneRequestLabel, isCritical: true, value: value.encoded)
    }

    /// Reads the value of the item; nil if it is not one of this version.
    public init?(value: [UInt8]) {
        guard let fields = try? CBOR.decode(value).array, fields.count == 5,
              let carrier = fields[0].unsignedInteger.flatMap(Carrier.init(number:)),
              let lane = fields[1].text, lane.utf8.count <= PhoneProtocolProfile.maximumNameLength,
              let flags = fields[3].unsignedInteger, flags <= Self.allFlags,
              Self.isText(fields[2], atMost: PhoneProtocolProfile.maximumCommandLength),
              Self.isText(fields[4], atMost: PhoneProtocolProfile.maximumLanguageLength)
        else { return nil }
        self.init(
            carrier: carrier, lane: lane, namedCommand: fields[2].text,
            trigger: flags & Self.manualFlag == 0 ? .automatic : .manual,
            isForeground: flags & Self.foregroundFlag != 0, isUnlocked: flags & Self.unlockedFlag != 0,
            canUseNFC: flags & Self.canUseNFCFlag != 0, language: fields[4].text)
    }

    /// null, or a text of 1 to `limit` bytes.
    private static func isText(_ item: CBOR, atMost limit: Int) -> Bool {
        if item.isNull { return true }
        guard let text = item.text else { return false }
        return (1...limit).contains(text.utf8.count)
    }
}
