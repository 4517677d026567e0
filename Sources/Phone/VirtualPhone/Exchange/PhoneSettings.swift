import Credentials
import PhoneProtocol

/// How a phone behaves.
public struct PhoneSettings: Sendable {
    /// Whether the gate is to sign (methods 0 and 2) or to agree (1 and 3). The other half of the
    /// method follows from the phone's key.
    public var gateSigns: Bool
    /// The phone's suites, the preferred one first: it is tried first, the others after the gate's error 2.
    public var suites: [Int]
    /// Version of the protocol.
    public var version: Int
    /// The carrier that the phone sees.
    public var carrier: Carrier
    /// Now by the phone's own clock, UNIX seconds, nil if it has none: gate tokens expire.
    public var time: Int64?
    /// C_I: any, up to 16 bytes.
    public var connectionIdentifier: [UInt8]
    /// The lane to speak of in EAD_3, nil for the one that the gate named. Another one is a fault to try.
    public var lane: String?
    /// The lane to ask for in EAD_1, nil for none: where a radio serves several.
    public var requestedLane: String?
    /// More items for EAD_1, after the request, and, before those of the protocol, for EAD_3.
    public var moreItems1: [EADItem]
    public var moreItems3: [EADItem]
    /// The command to run, nil for the default.
    public var command: String?
    public var trigger: PhoneRequest.Trigger
    public var isForeground: Bool
    public var isUnlocked: Bool
    public var canUseNFC: Bool
    /// BCP 47, nil to say nothing.
    public var language: String?
    /// Most data bytes in one response. 250 keeps a first part within one ISO-DEP block of 256 bytes.
    public var partCount: Int

    public init(
        gateSigns: Bool = true, suites: [Int] = [2], version: Int = PhoneProtocolProfile.version, carrier: Carrier = .nfc,
        time: Int64? = nil, connectionIdentifier: [UInt8] = [0x00], lane: String? = nil, requestedLane: String? = nil,
        moreItems1: [EADItem] = [], moreItems3: [EADItem] = [], command: String? = nil, trigger: PhoneRequest.Trigger = .automatic,
        isForeground: Bool = false, isUnlocked: Bool = false, canUseNFC: Bool = true, language: String? = "en", partCount: Int = 250
    ) {
        self.gateSigns = gateSigns
        self.suites = suites
        self.version = version
        self.carrier = carrier
        self.time = time
        self.connectionIdentifier = connectionIdentifier
        self.lane = lane
        self.requestedLane = requestedLane
        self.moreItems1 = moreItems1
        self.moreItems3 = moreItems3
        self.command = command
        self.trigger = trigger
        self.isForeground = isForeground
        self.isUnlocked = isUnlocked
        self.canUseNFC = canUseNFC
        self.language = language
        self.partCount = partCount
    }

    /// What goes into EAD_1.
    var items1: [EADItem] { (requestedLane.map { [RequestedLane(lane: $0).item] } ?? []) + moreItems1 }

    /// What goes into EAD_3 for this lane.
    func request(lane offered: String) -> PhoneRequest {
        PhoneRequest(
            carrier: carrier, lane: lane ?? offered, namedCommand: command, trigger: trigger, isForeground: isForeground,
            isUnlocked: isUnlocked, canUseNFC: canUseNFC, language: language)
    }
}
