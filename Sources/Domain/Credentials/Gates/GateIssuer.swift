import Cryptography

/// Who signs the gate tokens of a site. Its key is nobody else's: an issuer of persons' tokens makes no gates, and a
/// gate issuer lets nobody in.
public struct GateIssuer: Hashable, Sendable {
    /// The site whose gates it makes.
    public let site: String
    /// The name that its tokens carry as `iss`.
    public let name: String
    /// Its key (P-256).
    public let key: PublicKey

    /// A gate issuer.
    public init(site: String, name: String, key: PublicKey) {
        self.site = site
        self.name = name
        self.key = key
    }
}
