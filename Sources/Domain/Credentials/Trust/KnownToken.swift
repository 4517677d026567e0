/// A token that a phone named, and the generation of the site data under which its issuer's signature was
/// verified. Under another generation it says nothing.
public struct KnownToken: Hashable, Sendable {
    /// The token, byte for byte as its phone showed it.
    public let token: Token
    /// Counts the publications that this gate has applied.
    public let generation: UInt64

    /// A token that was verified.
    public init(token: Token, generation: UInt64) {
        self.token = token
        self.generation = generation
    }
}
