import Credentials
import Cryptography
import Encoding
import Vocabulary

/// One token to verify: `token` (hexadecimal), `issuer` with `name`, `x` and `y` (the one trusted issuer),
/// `now`, `site`, `zone`, `lane`, `command`, and `revoked`, a list of objects with one of `token`,
/// `subject`, `key`, or with `issuer` and `cti`.
struct TokenCase {
    let raw: [UInt8]
    let issuer: TokenIssuer
    let now: Int64
    let place: Place
    let command: String
    let revoked: Set<Revocation>

    struct Incomplete: Error {}

    init(_ question: JSON) throws {
        guard let token = question["token"]?.string, let trusted = question["issuer"],
              let name = trusted["name"]?.string, let x = trusted["x"]?.string, let y = trusted["y"]?.string,
              let now = question["now"]?.integer, let site = question["site"]?.string,
              let lane = question["lane"]?.string, let command = question["command"]?.string,
              let revoked = question["revoked"]?.array else { throw Incomplete() }
        raw = try Hex.decode(token)
        issuer = TokenIssuer(name: name, key: try PublicKey(curve: .p256, x: Hex.decode(x), y: Hex.decode(y)))
        self.now = now
        place = Place(site: site, zone: question["zone"]?.string, lane: lane)
        self.command = command
        self.revoked = Set(try revoked.map(Self.revocation))
    }

    /// The place of the store: it knows one issuer and the revocations given.
    var verdict: JSON {
        let token: Token
        do throws(TokenError) {
            token = try Token(parsing: raw)
        } catch {
            return ["result": "refused", "reason": "malformed", "fault": .string(error.code)]
        }
        let question = TrustQuestion(about: .token(token))
        let answer = TrustAnswer(issuer: question.issuer == issuer.name ? issuer : nil,
                                 isRevoked: !revoked.isDisjoint(with: question.revocations), enrolled: [],
                                 generation: 1, publicationIssuedAt: now)
        let clock = ClockReading(seconds: now, trust: .synchronised)
        let identifier = JSON.string(token.identifier.description)
        switch Verification.verify(token: token, answer: answer, clock: clock, place: place, command: command) {
        case .verified(let credential):
            return ["result": "verified", "identifier": identifier, "subject": .string(credential.subject)]
        case .refused(let reason):
            return ["result": "refused", "reason": .string(reason.code), "identifier": identifier]
        }
    }

    private static func revocation(_ entry: JSON) throws -> Revocation {
        if let token = try entry["token"]?.string.map(Hex.decode).flatMap({ TokenIdentifier($0) }) { return .token(token) }
        if let subject = entry["subject"]?.string { return .subject(subject) }
        if let key = try entry["key"]?.string.map(Hex.decode) { return .key(thumbprint: key) }
        guard let issuer = entry["issuer"]?.string, let cti = try entry["cti"]?.string.map(Hex.decode) else {
            throw Incomplete()
        }
        return .issued(issuer: issuer, cti: cti)
    }
}
