import Credentials
import Cryptography
import Encoding
import Foundation
import InvitationDesk
import Invitations
import Testing

/// 2026-11-25T12:00:00Z
let noon: Int64 = 1_795_608_000
let origin = "https://gates.example"

/// A folder of its own for each test, gone with it.
final class ScratchFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-desk-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }
    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name)))) }
    func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path(name))) }
    func mode(_ name: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int)
    }
    func setMode(_ name: String, _ mode: Int) throws { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name)) }
    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
    var names: Set<String> { get throws { Set(try FileManager.default.contentsOfDirectory(atPath: path("desk"))) } }
}

/// A server of the site "north" in the folder "desk", and what phones do with it.
final class DeskFixture: Sendable {
    let scratch: ScratchFolder
    let desk: InvitationDesk
    static let gates = GateListEntry.issuer(GateIssuer(site: "north", name: "gates", key: known)).encoded
    private static let known = { () -> PublicKey in
        do { return try SigningKey.generate().publicKey } catch { preconditionFailure("libcrypto makes keys") }
    }()

    init(attestation: AttestationJudge? = nil) throws {
        scratch = try ScratchFolder()
        try scratch.write("gates.phone", Self.gates)
        try InvitationDesk.make(folder: scratch.path("desk"), Self.new, now: noon)
        desk = try InvitationDesk.open(folder: scratch.path("desk"), attestation: attestation)
    }

    static let new = NewDesk(site: "north", issuer: "visitors", url: "\(origin)/visit", listen: "unix:/run/visitors.sock", gates: "../gates.phone")

    /// As another program that works on the same folder.
    func another(patience: Int32 = 2000) throws -> InvitationDesk {
        try InvitationDesk(folder: scratch.path("desk"), settings: desk.settings, key: KeyFile(parsing: scratch.bytes("desk/issuer.key")), patience: patience)
    }

    func invite(_ subject: String = "Ada", expires: Int64 = noon + 7 * 86_400, userVerified: Bool = false, opensFor: Int64 = 3600)
        throws -> (code: InvitationCode, id: Int64) {
        let wanted = NewInvitation(subject: subject, expires: expires, userVerified: userVerified, opensFor: opensFor)
        let (code, invitation) = try desk.invite(wanted, by: "op", now: noon)
        return (code, invitation.id)
    }

    func redeemRequest(_ code: InvitationCode, _ key: SigningKey, at now: Int64 = noon, for server: String = origin, attestation: [[UInt8]]? = nil)
        throws -> RedeemRequest {
        try RedeemRequest(code: code, key: key, nonce: try nonce(now), origin: server, time: now, attestation: attestation)
    }

    func renewRequest(_ key: SigningKey, at now: Int64 = noon, for server: String = origin) throws -> RenewRequest {
        try RenewRequest(key: key, nonce: try nonce(now), origin: server, time: now)
    }

    @discardableResult
    func redeem(_ code: InvitationCode, _ key: SigningKey, at now: Int64 = noon) throws -> IssuedAccess {
        try desk.redeem(redeemRequest(code, key, at: now), now: now)
    }

    func renew(_ key: SigningKey, at now: Int64 = noon) throws -> IssuedAccess { try desk.renew(renewRequest(key, at: now), now: now) }

    func nonce(_ now: Int64) throws -> NonceText { try #require(NonceText(desk.nonce(now: now))) }

    /// What the office reads.
    func queue() throws -> RevokedQueue { try #require(RevokedQueue(json: Array(scratch.bytes("desk/queue/revoked.json").dropLast()))) }

    func issuerKey() throws -> PublicKey { try KeyFile(parsing: scratch.bytes("desk/issuer.pub")).publicKey }
}
