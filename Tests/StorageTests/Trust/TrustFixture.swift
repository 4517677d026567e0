import Credentials
import Cryptography
import Foundation
import Glibc
import Testing
import TrustSync
import Vocabulary

@testable import Storage

/// A site with its key, and a folder for a gate's site data.
final class TrustFixture: Sendable {
    static let now: Int64 = 1_800_000_000

    let folder: TemporaryFolder
    let system = FaultyFileSystem()
    let siteKey: SigningKey
    let issuer: TokenIssuer
    let clock = ClockReading(seconds: now, trust: .synchronised)

    init() throws {
        folder = try TemporaryFolder()
        siteKey = try SigningKey.generate()
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

    func publication(
        _ records: [PublicationRecord], version: UInt64 = 1, site: String = "hq", key: SigningKey? = nil,
        issuedAt: Int64 = now - 60, expiresAt: Int64 = now + 3600
    ) throws -> [UInt8] {
        var writer = PublicationWriter()
        var body: [UInt8] = []
        for record in records { body += writer.add(record) }
        let manifest = try writer.signedManifest(
            site: site, version: version, issuedAt: issuedAt, expiresAt: expiresAt, key: key ?? siteKey)
        return manifest + body
    }

    @discardableResult
    func apply(
        _ publication: [UInt8], to store: TrustStore, clock: ClockReading? = nil, siteKey: PublicKey? = nil
    ) throws(ImportError) -> TrustPublication {
        let path = folder.path("given-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: path, contents: Data(publication))
        let descriptor = Glibc.open(path, O_RDONLY)
        unlink(path)
        defer { Glibc.close(descriptor) }
        return try store.apply(descriptor: descriptor, site: "hq", siteKey: siteKey ?? self.siteKey.publicKey, clock: clock ?? self.clock)
    }

    func refusal(_ publication: [UInt8], by store: TrustStore) -> ImportError? {
        do throws(ImportError) {
            try apply(publication, to: store)
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
