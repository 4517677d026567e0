import Credentials
import Encoding

/// What a gate says of itself in EAD_2: bound into the transcript together with who it is.
public struct GateContext: Hashable, Sendable {
    public var version: Int
    /// Name of the gate in its site, at most 32 bytes.
    public var gateIdentifier: String
    /// The lane that the reader belongs to, at most 32 bytes.
    public var lane: String
    /// The carrier by which the gate reaches the phone.
    public var carrier: Carrier
    public var mode: GateMode
    /// The gate's time, UNIX seconds.
    public var time: Int64
    /// Generation of the gate's site data: tells a phone whether a token sent before is still cached.
    public var cacheGeneration: UInt64
    /// Whether this lane grants only on a key that needs user verification (V6).
    public var wantsSecondFactor: Bool

    public init(
        version: Int = PhoneProtocolProfile.version, gateIdentifier: String, lane: String, carrier: Carrier,
        mode: GateMode, time: Int64, cacheGeneration: UInt64, wantsSecondFactor: Bool
    ) {
        self.version = version
        self.gateIdentifier = gateIdentifier
        self.lane = lane
        self.carrier = carrier
        self.mode = mode
        self.time = time
        self.cacheGeneration = cacheGeneration
        self.wantsSecondFactor = wantsSecondFactor
    }

    /// The critical EAD item.
    public var item: EADItem {
        let value: CBOR = .array([
            CBOR(version), .text(gateIdentifier), .text(lane), .unsigned(carrier.number),
            .unsigned(UInt64(mode.rawValue)), CBOR(time), .unsigned(cacheGeneration), CBOR(wantsSecondFactor)
        ])
        return EADItem(label: PhoneProtocolProfile.gateContextLabel, isCritical: true, value: value.encoded)
    }

    /// Reads the value of the item. A later version may have more fields, so the version alone is
    /// read first: the phone can tell `protocol-version` from `malformed`.
    /// - Returns: nil if it is not a context of this version.
    public init?(value: [UInt8]) {
        guard let fields = try? CBOR.decode(value).array, fields.count == 8,
              let version = fields[0].integer.flatMap({ Int(exactly: $0) }), version == PhoneProtocolProfile.version,
              let gate = fields[1].text, gate.utf8.count <= PhoneProtocolProfile.maximumNameLength,
              let lane = fields[2].text, lane.utf8.count <= PhoneProtocolProfile.maximumNameLength,
              let carrier = fields[3].unsignedInteger.flatMap(Carrier.init(number:)),
              let mode = fields[4].unsignedInteger.flatMap(UInt8.init(exactly:)).flatMap(GateMode.init(rawValue:)),
              let time = fields[5].integer, let generation = fields[6].unsignedInteger,
              let wantsSecondFactor = fields[7].bool
        else { return nil }
        self.init(
            version: version, gateIdentifier: gate, lane: lane, carrier: carrier, mode: mode, time: time,
            cacheGeneration: generation, wantsSecondFactor: wantsSecondFactor)
    }

    /// The version that a context of any version begins with.
    public static func version(ofValue value: [UInt8]) -> Int? {
        guard let fields = try? CBOR.decode(value, rules: .wellFormed).array else { return nil }
        return fields.first?.integer.flatMap { Int(exactly: $0) }
    }
}

/// How a gate runs commands (T4).
public enum GateMode: UInt8, Sendable, Hashable, CaseIterable {
    /// Presenting the phone is enough.
    case onTouch = 0
    /// Commands are started by hand.
    case classic = 1
}
