import Credentials
import Cryptography
import Encoding
import SiteData
import Vocabulary

/// A site and its publication with one record of every kind.
struct PublicationFixture {
    static let now: Int64 = 1_800_000_000
    let siteKey: SigningKey
    var records: [PublicationRecord]
    var site = "hq"
    var version: UInt64 = 5
    var issuedAt = now - 60
    var expiresAt = now + 3600
    var expectedSite = "hq"

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
            .revocation(.suspended("sam")),
            .revocation(.issuer("issuer-1"))
        ]
    }

    /// As offices wrote it.
    func file() throws -> [UInt8] {
        let body = records.flatMap(\.encoded), counts = records.reduce(into: PublicationCounts()) { $0.count($1) }
        var manifest: CBORMap = [
            1: 1, 2: .text(site), 3: .unsigned(version), 4: CBOR(issuedAt), 5: CBOR(expiresAt), 6: .unsigned(UInt64(body.count)), 7: .bytes(SHA256.hash(body)),
            8: .array([counts.issuers, counts.gateCredentials, counts.enrolled, counts.revocations].map { .unsigned($0) })
        ]
        if counts.rules + counts.memberships > 0 { manifest[9] = .array([.unsigned(counts.rules), .unsigned(counts.memberships)]) }
        if counts.uidOnlyCards > 0 { manifest[10] = .unsigned(counts.uidOnlyCards) }
        return try COSESign1.sign(payload: CBOR.map(manifest).encoded, protected: [3: "application/tapstile-publication"], key: siteKey).encoded + body
    }

    var reader: PublicationReader { PublicationReader(site: expectedSite, signedBy: siteKey.publicKey) }

    /// Reads a file in pieces; whatever came before an error counts for nothing.
    func read(_ file: [UInt8], pieces: Int = 1000) throws(PublicationError) -> (PublicationManifest, [PublicationRecord]) {
        var reader = reader
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
