import Authority
import Credentials
import Cryptography
import Encoding
import Foundation
import SiteData
import Testing
import Vocabulary

/// A folder of its own for each test, gone with it.
final class ScratchFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-authority-\(UUID().uuidString)")
    var path: String { url.path }

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
    func mode(_ name: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int)
    }
    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name)))) }
    func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path(name))) }
    func makeFolder(_ name: String, mode: Int? = nil) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: false)
        if let mode { try setMode(name, mode) }
    }
    func setMode(_ name: String, _ mode: Int) throws { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name)) }
    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
    func names(_ name: String = "") throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: path(name)))
    }
}

/// 2025-01-31T08:00:00Z: the time in these tests.
let now: Int64 = 1_738_310_400

/// An authority of the site "north" in the folder "site".
func makeAuthority(in scratch: ScratchFolder, issuer: String = "north-issuer") throws -> Authority {
    try Authority.make(inFolder: scratch.path("site"), site: "north", issuer: issuer, now: now)
}

func gateIssuerKey(in scratch: ScratchFolder) throws -> PublicKey {
    try KeyFile(parsing: scratch.bytes("site/gate-issuer.pub")).publicKey
}

/// The public key of a phone.
func phoneKey() throws -> PublicKey { try SigningKey.generate(.p256).publicKey }
