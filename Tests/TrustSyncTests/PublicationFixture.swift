import Credentials
import Cryptography
import TrustSync
import Vocabulary

/// A site and its publication with one record of every kind.
struct PublicationFixture {
    static let now: Int64 = 1_800_000_000
    /// A year before.
    static let built = now - 365 * 86400
    let siteKey: SigningKey
    var records: [PublicationRecord]
    var site = "hq"
    var version: UInt64 = 5
    var issuedAt = now - 60
    var expiresAt = now + 3600
    var expectedSite = "hq"
    var previous: PublicationExpectation.Applied?
    var clock = ClockReading(seconds: now, trust: .synchronised)

    init() throws {
        siteKey = try SigningKey.generate()
        let identifier = TokenIdentifier([UInt8](repeating: 7, count: 32))
        records = [
            .issuer(TokenIssuer(name: "issuer-1", key: try SigningKey.generate().publicKey)),
            .gateCredential([0xA0]),
            .enrolled(EnrolledKey(keyIdentifier: [1, 2], key: try SigningKey.generate().publicKey, use: .sign, subject: "alice")),
            .enrolled(EnrolledKey(keyIdentifier: [], key: try AgreementKey.generate(.x25519).publicKey, use: .agree, subject: "bob",
                                  scope: ["tokn", "hold"], audiences: ["tapstile:hq/lobby"], notBefore: 5, expiresAt: 10)),
            .enrolled(EnrolledKey(keyIdentifier: [3], key: try AgreementKey.generate().publicKey, use: .agree, subject: "carol"))
        ] + (identifier.map { [.revocation(.token($0))] } ?? []) + [
            .revocation(.issued(issuer: "issuer-1", cti: [9])),
            .revocation(.subject("mallory")),
            .revocation(.key(thumbprint: [UInt8](repeating: 8, count: 32))),
            .revocation(.suspended("sam"))
        ]
    }

    var expectation: PublicationExpectation {
        PublicationExpectation(site: expectedSite, siteKey: siteKey.publicKey, previous: previous, clock: clock, builtAt: Self.built)
    }

    func file() throws -> [UInt8] {
        var writer = PublicationWriter()
        var body: [UInt8] = []
        for record in records { body += writer.add(record) }
        return try writer.signedManifest(site: site, version: version, issuedAt: issuedAt, expiresAt: expiresAt, key: siteKey) + body
    }

    /// Reads a file in pieces; whatever came before an error counts for nothing.
    func read(_ file: [UInt8], pieces: Int = 1000) throws(PublicationError) -> (PublicationManifest, [PublicationRecord]) {
        var reader = PublicationReader(expecting: expectation)
        var records: [PublicationRecord] = []
        var start = 0
        while start < file.count {
            let end = min(start + pieces, file.count)
            records += try reader.feed(Array(file[start..<end]))
            start = end
        }
        return (try reader.finish(), records)
    }

    func refusal(of file: [UInt8]) -> PublicationError? {
        do throws(PublicationError) {
            _ = try read(file)
            return nil
        } catch {
            return error
        }
    }
}
