/// How the two sides prove who they are (RFC 9528, 3.2): by a signature, or by a static
/// Diffie-Hellman key whose use shows in a MAC. The raw value is METHOD of message_1.
public enum EDHOCMethod: Int, Sendable, Hashable, CaseIterable {
    /// Both sign.
    case bothSign = 0
    /// The initiator signs, the responder agrees.
    case initiatorSigns = 1
    /// The responder signs, the initiator agrees.
    case responderSigns = 2
    /// Both agree.
    case bothAgree = 3

    /// Whether Signature_or_MAC_3 is a signature.
    public var initiatorUsesSignature: Bool {
        switch self {
        case .bothSign, .initiatorSigns: true
        case .responderSigns, .bothAgree: false
        }
    }

    /// Whether Signature_or_MAC_2 is a signature.
    public var responderUsesSignature: Bool {
        switch self {
        case .bothSign, .responderSigns: true
        case .initiatorSigns, .bothAgree: false
        }
    }

    /// The method of an initiator that signs (or not) towards a responder that signs (or not).
    public init(initiatorSigns: Bool, responderSigns: Bool) {
        switch (initiatorSigns, responderSigns) {
        case (true, true): self = .bothSign
        case (true, false): self = .initiatorSigns
        case (false, true): self = .responderSigns
        case (false, false): self = .bothAgree
        }
    }
}

/// What message_1 settles.
public struct EDHOCOpening: Hashable, Sendable {
    public let method: EDHOCMethod
    public let suite: CipherSuite
    /// C_I.
    public let connectionIdentifier: [UInt8]
    /// EAD_1, unprotected.
    public let ead: [EADItem]
}

/// A completed exchange, seen from either side.
public struct EDHOCResult: Sendable {
    public let method: EDHOCMethod
    public let suite: CipherSuite
    /// TH_4: names the whole exchange, identities included.
    public let transcript4: [UInt8]
    /// What message_2 said and proved.
    let responder: ResponderProof
    /// What the initiator's proof was made over.
    let proof: ProofContext
    /// Signature_or_MAC_3.
    let proofField: [UInt8]
    /// MAC_3, which a signature vouches for.
    let mac3: [UInt8]
    let prk4e3m: [UInt8]

    /// The keys for what follows. Derived when asked for: a gate decides first.
    public var session: EDHOCSession {
        EDHOCSession(suite: suite, prk4e3m: prk4e3m, transcript4: transcript4)
    }
}

/// What a completed exchange leaves: a shared secret from which applications derive their keys
/// (RFC 9528, 4.2).
public struct EDHOCSession: Sendable {
    public let suite: CipherSuite
    let prkOut: [UInt8]
    let prkExporter: [UInt8]

    init(suite: CipherSuite, prk4e3m: [UInt8], transcript4: [UInt8]) {
        self.suite = suite
        prkOut = KeySchedule.derive(prk4e3m, .prkOut, context: transcript4, length: CipherSuite.hashLength)
        prkExporter = KeySchedule.derive(prkOut, .prkExporter, context: [], length: CipherSuite.hashLength)
    }

    /// EDHOC_Exporter. A pair of label and context serves one purpose only.
    public func export(label: UInt16, context: [UInt8] = [], length: Int) -> [UInt8] {
        KeySchedule.derive(prkExporter, label: Int(label), context: context, length: length)
    }
}
