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
