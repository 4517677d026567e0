import Credentials
import Cryptography

/// What one lane offers to a phone. The lasting part is made when the configuration is read, the
/// rest by `at` when a phone arrives.
public struct GateOffer: Hashable, Sendable {
    /// What EAD_2 will say.
    public private(set) var context: GateContext
    /// Methods this lane allows. Method 0 leaves a signature as evidence and is the default.
    public let methods: [EDHOCMethod]
    /// Suites this lane allows, the preferred one first: error 2 names them in this order. The phone's preference decides.
    public let suites: [CipherSuite]

    /// - Throws: `name-too-long` or `name-empty` for a gate or lane name that does not fit EAD_2,
    ///   `no-method` or `no-suite` if nothing could be negotiated with keys on P-256.
    public init(
        gateIdentifier: String, lane: String, carrier: Carrier, mode: GateMode = .onTouch,
        methods: [EDHOCMethod] = [.bothSign], suites: [CipherSuite] = CipherSuite.ofGates,
        wantsSecondFactor: Bool = false
    ) throws(GateOfferError) {
        for name in [gateIdentifier, lane] {
            guard !name.isEmpty else { throw .nameEmpty }
            guard name.utf8.count <= PhoneProtocolProfile.maximumNameLength else { throw .nameTooLong(name) }
        }
        guard !methods.isEmpty else { throw .noMethod }
        let mayBothSign = methods.contains(.bothSign)
        guard suites.contains(where: {
            $0.signatureCurve == .p256 && (mayBothSign || $0.agreementCurve == PhoneProtocolProfile.staticCurve)
        }) else { throw .noSuite }
        self.methods = methods
        self.suites = suites
        context = GateContext(
            gateIdentifier: gateIdentifier, lane: lane, carrier: carrier, mode: mode, time: 0,
            cacheGeneration: 0, wantsSecondFactor: wantsSecondFactor)
    }

    /// The offer at one moment: `time` in UNIX seconds, `cacheGeneration` of the site data, and whether a second
    /// factor is wanted then; nil: as the lane always does.
    public func at(time: Int64, cacheGeneration: UInt64, wantsSecondFactor: Bool? = nil) -> GateOffer {
        var offer = self
        offer.context.time = time
        offer.context.cacheGeneration = cacheGeneration
        if let wantsSecondFactor { offer.context.wantsSecondFactor = wantsSecondFactor }
        return offer
    }
}

/// Why a lane's settings make no offer.
public enum GateOfferError: Error, Hashable, Sendable {
    case nameEmpty
    case nameTooLong(String)
    case noMethod
    case noSuite

    /// Stable code.
    public var code: String {
        switch self {
        case .nameEmpty: "name-empty"
        case .nameTooLong: "name-too-long"
        case .noMethod: "no-method"
        case .noSuite: "no-suite"
        }
    }

    /// One sentence for people.
    public var message: String {
        switch self {
        case .nameEmpty: "A gate and a lane need a name."
        case .nameTooLong(let name):
            "The name \"\(name)\" is longer than \(PhoneProtocolProfile.maximumNameLength) bytes."
        case .noMethod: "No authentication method is allowed."
        case .noSuite: "No cipher suite is allowed that its methods can have: 2, 3 or 5, or 6 with method 0."
        }
    }
}
