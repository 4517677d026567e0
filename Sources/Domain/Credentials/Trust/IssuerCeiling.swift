import Vocabulary

/// The most that tokens of an issuer may say. Whoever signs the site's rules signs it; each gate holds every token against it, at every tap.
public struct IssuerCeiling: Hashable, Sendable {
    /// The commands that a token may name.
    public let commands: [String]
    /// The places that a token may name, with all that lies below them; empty: any.
    public let audiences: [String]
    /// The schedule that must be in force; nil: at all times.
    public let schedule: String?
    /// How many seconds a token may last, from `nbf` to `exp`.
    public let longest: Int64
    /// Whether a token may claim user verification.
    public let userVerification: Bool
    /// The first second at which no token of the issuer counts any more, UNIX time; nil: no limit.
    public let until: Int64?
    /// No token of the issuer counts.
    public let isOff: Bool

    /// How long a token may last where nothing is said: two days.
    public static let usualLongest: Int64 = 48 * 3600

    /// A ceiling.
    public init(commands: [String] = [TokenClaims.defaultCommand], audiences: [String] = [], schedule: String? = nil, longest: Int64 = usualLongest,
                userVerification: Bool = false, until: Int64? = nil, isOff: Bool = false) {
        self.commands = commands
        self.audiences = audiences
        self.schedule = schedule
        self.longest = longest
        self.userVerification = userVerification
        self.until = until
        self.isOff = isOff
    }

    /// The same for an issuer that is not off.
    public var switchedOn: IssuerCeiling {
        IssuerCeiling(commands: commands, audiences: audiences, schedule: schedule, longest: longest, userVerification: userVerification, until: until)
    }

    /// The first thing of a token that is more than the ceiling allows; nil: nothing is. The whole token counts, not only what is asked of it now.
    /// - Parameters:
    ///   - clock: one that nobody trusts is before no end.
    ///   - isInForce: whether a schedule is; false where nobody can say.
    public func excess(of claims: TokenClaims, clock: ClockReading, isInForce: (String) -> Bool) -> IssuerExcess? {
        if isOff { return .off }
        if let until, clock.trust == .untrusted || clock.seconds >= until { return .over(until) }
        if let schedule, !isInForce(schedule) { return .schedule(schedule) }
        // Neither is negative.
        if claims.expiresAt - claims.notBefore > longest { return .lifetime(seconds: claims.expiresAt - claims.notBefore) }
        if let command = claims.scope.first(where: { command in !commands.contains { $0.hasSameBytes(as: command) } }) { return .command(command) }
        if !audiences.isEmpty, let audience = claims.audiences.first(where: { audience in !audiences.contains { Place.covers($0, audience) } }) {
            return .audience(audience)
        }
        return claims.userVerification && !userVerification ? .userVerification : nil
    }
}

/// What of a token is more than the ceiling of its issuer allows.
public enum IssuerExcess: Hashable, Sendable {
    /// The issuer is switched off.
    case off
    /// Its time is over, since that UNIX second.
    case over(Int64)
    /// Its schedule is not in force, or nobody can say whether it is.
    case schedule(String)
    /// The token lasts longer, so many seconds.
    case lifetime(seconds: Int64)
    /// A command that it may not give.
    case command(String)
    /// A place that it may not give.
    case audience(String)
    /// A claim of user verification.
    case userVerification

    /// What is too much, in few words, for journal and explanations.
    public var words: String {
        switch self {
        case .off: "the issuer is switched off"
        case .over(let second): "the time of the issuer is over since \(second)"
        case .schedule(let name): "the schedule '\(name)' of the issuer is not in force"
        case .lifetime(let seconds): "the token lasts \(seconds) seconds"
        case .command(let command): "the command '\(command)'"
        case .audience(let audience): "the place '\(audience)'"
        case .userVerification: "the claim of user verification"
        }
    }
}
