import Credentials
import Cryptography
import Encoding
import Testing
import Vocabulary

/// A site with one issuer and one person, and a token that opens one lane.
struct TokenFixture {
    static let now: Int64 = 1_800_000_000
    let issuerKey: SigningKey
    let phoneKey: SigningKey
    var claims: TokenClaims
    var answer: TrustAnswer
    var clock = ClockReading(seconds: now, trust: .synchronised)
    var place = Place(site: "hq", zone: "lobby", lane: "main")

    init() throws {
        issuerKey = try SigningKey.generate()
        phoneKey = try SigningKey.generate()
        claims = TokenClaims(issuer: "issuer-1", subject: "alice", audiences: ["tapstile:hq/lobby"],
                             notBefore: Self.now - 100, expiresAt: Self.now + 100, cti: [1, 2, 3],
                             confirmationKey: COSEKey(key: phoneKey.publicKey))
        answer = TrustAnswer(issuer: TokenIssuer(name: "issuer-1", key: issuerKey.publicKey), isRevoked: false,
                             enrolled: [], generation: 7, publicationIssuedAt: Self.now - 3600)
    }

    func token() throws -> Token { try Token.issue(claims, key: issuerKey) }

    func verify(command: String = "tokn") throws -> VerificationResult {
        try Verification.verify(token: token(), answer: answer, clock: clock, place: place, command: command)
    }

    func answer(issuer: TokenIssuer?, isRevoked: Bool = false, generation: UInt64 = 7,
                issuedAt: Int64? = now - 3600) -> TrustAnswer {
        TrustAnswer(issuer: issuer, isRevoked: isRevoked, enrolled: [], generation: generation,
                    publicationIssuedAt: issuedAt)
    }

    /// Claims as CBOR, changed, signed by the issuer: for tokens that `TokenClaims` cannot say.
    func signed(_ change: (inout CBORMap) -> Void) throws -> [UInt8] {
        var map = try #require(claims.cbor.map)
        change(&map)
        return try COSESign1.sign(payload: CBOR.map(map).encoded, key: issuerKey).encoded
    }
}
