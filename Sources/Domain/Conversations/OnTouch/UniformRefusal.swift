extension EDHOCErrorMessage {
    /// What every stranger is told, whatever the reason.
    static let uniform = EDHOCErrorMessage.unspecified("refused")
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
