/// What a phone presents as its identity, once the encryption is off and before anything is believed.
public enum PresentedCredential: Hashable, Sendable {
    /// A token by value.
    case token(Token)
    /// The name of an enrolled key.
    case keyIdentifier([UInt8])
    /// A key by value, to be found among the enrolled ones. All else it says is ignored.
    case key(ConfirmedKeyCredential)
}
