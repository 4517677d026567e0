import Configuration
import Conversations
import Credentials
import Cryptography
import Encoding
import Foundation
import Lines
import Readers
import Service
import Storage
import TrustSync
import VirtualPhone

@testable import Controller

/// A throw-away site with one lane and one reader, in a folder of its own: keys, configuration,
/// publication, and phones.
final class TestSite {
    static let name = "demo"
    let folder: URL
    let siteKey: SigningKey
    let issuerKey: SigningKey
    let gateSigning: SigningKey
    let gateAgreement: AgreementKey
    private var version: UInt64 = 0
    /// What was started here, and ends with the test.
    private var running: [(gate: Controller, logs: LogOutput)] = []

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appendingPathComponent("state"), withIntermediateDirectories: true)
        siteKey = try SigningKey.generate(.p256)
        issuerKey = try SigningKey.generate(.p256)
        gateSigning = try SigningKey.generate(.p256)
        gateAgreement = try AgreementKey.generate(.p256)
        try write(KeyFile(role: .site, material: .signing(siteKey)).publicFile.text(), "site.pub")
        try write(KeyFile(role: .gateSigning, material: .signing(gateSigning)).text(), "gate-signing.key")
        try write(KeyFile(role: .gateAgreement, material: .agreement(gateAgreement)).text(), "gate-agreement.key")
        try configure()
    }

    deinit {
        for (gate, logs) in running {
            gate.stop()
            logs.stop()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name))
    }

    /// One that nobody will ever plug in.
    static let noReader = """
        [[reader]]
        name = "entry"
        lane = "main"
        [reader.match]
        name = "No Such Reader"
        """

    /// Writes the configuration; `gate`, `lane`, `trust` and `more` are further lines of it.
    /// - Parameter source: where site data come from, in the place of the site's key.
    func configure(gate: String = "", lane: String = "", source: String? = nil, trust: String = "", more: String = "",
                   readers: String = noReader) throws {
        let text = """
            [site]
            id = "\(Self.name)"
            [gate]
            id = "gate-1"
            signing-key = "\(path("gate-signing.key"))"
            agreement-key = "\(path("gate-agreement.key"))"
            \(gate)
            [trust]
            \(source ?? "site-key = \"\(path("site.pub"))\"")
            \(trust)
            [store]
            directory = "\(path("state"))"
            [control]
            socket = "\(path("control.sock"))"
            [clock]
            source = "installer"
            [log]
            target = "stderr"
            level = "error"
            \(more)
            [[lane]]
            name = "main"
            methods = [0, 3]
            \(lane)
            [lane.relay]
            chip = "simulated"
            line = 1
            [lane.lights.ready]
            chip = "simulated"
            line = 2
            [lane.lights.granted]
            chip = "simulated"
            line = 3
            [lane.lights.denied]
            chip = "simulated"
            line = 4
            \(readers)
            """
        try write(Array(text.utf8), "tapstile.toml")
    }

    /// The gate of this site, serving taps in process, with lines the test can see and break.
    func controller(_ bank: SimulatedLineBank? = nil, logs: LogOutput? = nil) throws -> Controller {
        let loaded = try ConfigurationFile.load(path: path("tapstile.toml"))
        let lines = bank ?? SimulatedLineBank(LineRequest.all(of: loaded.configuration))
        let logs = try logs ?? LogOutput(LogSettings(loaded.configuration.log))
        let controller = try Controller(loaded, path: path("tapstile.toml"), bank: lines, logs: logs)
        running.append((controller, logs))
        try controller.start(withReaders: false)
        return controller
    }

    var bank: SimulatedLineBank {
        get throws { try SimulatedLineBank(requests) }
    }

    /// Every line of the configuration.
    var requests: [LineRequest] {
        get throws {
            LineRequest.all(of: try ConfigurationFile.load(path: path("tapstile.toml")).configuration)
        }
    }

    // Publications -----------------------------------------------------------------------------------

    /// Writes a publication with the site's issuer (or its name with another key) and these records, and returns
    /// its open file.
    func publication(_ records: [PublicationRecord] = [], issuer: PublicKey? = nil) throws -> FileHandle {
        var writer = PublicationWriter()
        var body: [UInt8] = []
        for record in [.issuer(TokenIssuer(name: Self.name, key: issuer ?? issuerKey.publicKey))] + records {
            body += writer.add(record)
        }
        version += 1
        let now = Int64(Date().timeIntervalSince1970)
        let manifest = try writer.signedManifest(site: Self.name, version: version, issuedAt: now - 10, expiresAt: now + 86400,
                                                 key: siteKey)
        try write(manifest + body, "export-\(version)")
        return try FileHandle(forReadingFrom: folder.appendingPathComponent("export-\(version)"))
    }

    /// Applies a publication with these records.
    func publish(_ records: [PublicationRecord] = [], to controller: Controller) throws {
        let file = try publication(records)
        _ = try controller.importPublication(descriptor: file.fileDescriptor)
    }

    // Phones -----------------------------------------------------------------------------------------

    var gates: [KnownGate] {
        get throws {
            try [gateSigning.publicKey, gateAgreement.publicKey].map { key in
                let credential = GateCredential(site: Self.name, key: key)
                return try KnownGate(keyIdentifier: credential.keyIdentifier, claims: credential.claims)
            }
        }
    }

    func claims(_ key: PublicKey, subject: String = "ada", audience: String = "tapstile:demo", from: Int64 = -60, to: Int64 = 3600,
                scope: [String] = ["tokn"], issuer: String = TestSite.name) -> TokenClaims {
        let now = Int64(Date().timeIntervalSince1970)
        return TokenClaims(issuer: issuer, subject: subject, audiences: [audience], notBefore: now + from, expiresAt: now + to,
                           cti: RandomBytes.make(8), confirmationKey: COSEKey(key: key), scope: scope)
    }

    func token(_ claims: TokenClaims, signedBy key: SigningKey? = nil) throws -> Token {
        try Token.issue(claims, key: key ?? issuerKey)
    }

    /// A phone with a token by value (method 0).
    func phone(_ key: SigningKey, _ token: Token, settings: PhoneSettings = PhoneSettings()) throws -> TestPhone {
        TestPhone(PhoneIdentity(credential: .token(token.raw), key: .signing(key), gates: try gates), settings)
    }

    /// A phone with a fresh key and a token as `claims` changes it.
    func phone(_ change: (inout TokenClaims) -> Void = { _ in }) throws -> TestPhone {
        let key = try SigningKey.generate(.p256)
        var claims = claims(key.publicKey)
        change(&claims)
        return try phone(key, token(claims))
    }
}
