extension EDHOCErrorMessage {
    /// What every stranger is told, whatever the reason.
    static let uniform = EDHOCErrorMessage.unspecified("refused")
}
