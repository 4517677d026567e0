extension EDHOCErrorMessage {
    /// What every stranger is told, whatever the reason.
    static let uniform = EDHOCErrorMessage.unspecified("refused")

    /// Whether the other side may begin again in the same presentation.
    var invitesRepeat: Bool {
        switch self {
        case .wrongSuite, .unknownCredential: true
        case .unspecified, .other: false
        }
    }
}

extension Claim {
    /// Whether the phone gave a reference instead of a credential.
    var isByReference: Bool {
        switch credential {
        case .keyIdentifier: true
        case .token, .claims: false
        }
    }
}
