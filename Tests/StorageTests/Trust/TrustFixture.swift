import Credentials
import Cryptography
import Foundation
import Glibc
import SignedRepository
import SiteData
import Testing
import Vocabulary

@testable import Storage

/// A site, and a folder for a gate's site data.
final class TrustFixture: Sendable {
    static let now: Int64 = 1_800_000_000

    let folder: TemporaryFolder
    let system = FaultyFileSystem()
    let issuer: TokenIssuer
    let clock = ClockReading(seconds: now, trust: .synchronised)

    init() throws {
        folder = try TemporaryFolder()
        issuer = TokenIssuer(name: "issuer-1", key: try SigningKey.generate().publicKey)
    }

    func open(site: String? = nil) throws -> TrustStore {
        try TrustStore.open(directory: folder.path, site: site, fileSystem: system.name)
    }

    /// An enrolled key whose `kid` is the number's 4 bytes.
    func enrolled(_ number: UInt32, kid: [UInt8]? = nil, subject: String? = nil) throws -> EnrolledKey {
        EnrolledKey(
            keyIdentifier: kid ?? Self.kid(number), key: try SigningKey.generate().publicKey, use: .sign,
            subject: subject ?? "person-\(number)", scope: ["tokn", "hold"], audiences: ["hq/lobby"],
            notBefore: 5, expiresAt: Int64(number) + 10)
    }

    static func kid(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

    /// What an office has published, as a gate has fetched it.
    struct Published {
        var full: [UInt8]
        var site: [UInt8]
        var update: RepositoryUpdate
    }

    /// Everything that the site says, of people and besides, whole.
    func publication(
        _ records: [PublicationRecord], version: UInt64 = 1, site: String = "hq", issuedAt: Int64 = now - 60, expiresAt: Int64 = now + 3600,
        after predecessor: Predecessor? = nil
    ) throws -> Published {
        var office = BundleOffice(site: site)
        office.skip(to: version - 1)
        office.publish(only: records + [.ceiling(BundleOffice.ceiling)])
        let siteFile = try office.siteFile()
        let update = RepositoryUpdate(site: site, state: office.state, siteHash: SHA256.hash(siteFile), issuedAt: issuedAt, expiresAt: expiresAt,
                                      predecessor: predecessor)
        return Published(full: try office.full(), site: siteFile, update: update)
    }

    @discardableResult
    func apply(_ published: Published, to store: TrustStore) throws(ImportError) -> TrustPublication {
        let full = descriptor(of: published.full), site = descriptor(of: published.site)
        defer { for file in [full, site] { Glibc.close(file) } }
        return try store.apply(full: full, changes: nil, site: site, published.update, clock: clock)
    }

    private func descriptor(of bytes: [UInt8]) -> Int32 {
        let path = folder.path("given-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        defer { unlink(path) }
        return Glibc.open(path, O_RDONLY)
    }

    func refusal(_ published: Published, by store: TrustStore) -> ImportError? {
        do throws(ImportError) {
            try apply(published, to: store)
            return nil
        } catch {
            return error
        }
    }

    /// The question of a tap with an enrolled key.
    static func question(kid: [UInt8]) -> TrustQuestion {
        TrustQuestion(issuer: nil, revocations: [], enrolled: .keyIdentifier(kid))
    }

    static func question(_ revocations: [Revocation]) -> TrustQuestion {
        TrustQuestion(issuer: nil, revocations: revocations, enrolled: .none)
    }
}
