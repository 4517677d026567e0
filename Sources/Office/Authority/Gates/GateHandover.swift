/// What there is to know before gates leave their old keys: which phones would stay outside.
public struct GateHandover: Hashable, Sendable {
    /// From then on nobody holds a token, or an enrolled key with an end, who got it before the new keys were there:
    /// the earliest date at which gates may use them alone. UNIX seconds.
    public let safeFrom: Int64
    /// Enrolled keys without an end that are older than the new keys. Their phones never come for anything, so that
    /// somebody has to bring them the new file.
    public let withoutEnd: Int
    /// Tokens and enrolled keys in use that are older than the gate issuer: their phones do not believe a credential
    /// by value either.
    public let withoutIssuer: Int
}
