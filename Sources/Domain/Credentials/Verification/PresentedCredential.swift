/// What a phone presents as its identity, once the encryption is off and before anything is believed. It is read once, and is
/// what everybody looks at from the claim to the decision.
public enum PresentedCredential: Hashable, Sendable {
    /// A token by value.
    case token(Token)
    /// A token beside a claims set by value, whose key must be the token's; nil: a claims set that cannot be read.
    case tokenBesideKey(Token, ConfirmedKeyCredential?)
    /// A token beside the name of a claims set that follows from the token.
    case tokenBesideReference(Token, [UInt8])
    /// The name of an enrolled key, or of a token that the gate has.
    case keyIdentifier([UInt8])
    /// A key by value, to be found among the enrolled ones. All else it says is ignored.
    case key(ConfirmedKeyCredential)
}
