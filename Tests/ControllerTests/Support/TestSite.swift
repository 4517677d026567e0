import BroughtFolder
import Configuration
import Credentials
import Cryptography
import Encoding
import Foundation
import Lines
import PhoneProtocol
import Readers
import Service
import SignedRepository
import SiteData
import Storage
import VirtualPhone
import Vocabulary

@testable import Controller

/// A throw-away site with one lane and one reader, in a folder of its own: keys, configuration,
/// repository, and phones.
final class TestSite {
    static let name = "demo"
    let folder: URL
    let issuerKey: SigningKey
    let gateSigning: SigningKey
    let gateAgreement: AgreementKey
    /// Says that everything was signed a moment ago.
    private(set) var office: SyncOffice
    /// What was started here, and ends with the test.
    private var running: [(gate: Controller, logs: LogOutput)] = []

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appendingPathComponent("state"), withIntermediateDirectories: true)
        issuerKey = try SigningKey.generate(.p256)
        gateSigning = try SigningKey.generate(.p256)
        gateAgreement = try AgreementKey.generate(.p256)
        office = try SyncOffice(site: Self.name, issued: Int64(Date().timeIntervalSince1970) - 10)
        try write(office.root, "root.json")
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
    /// - Parameter source: where site data come from, in the place of the site's repository.
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
            \(source ?? "root = \"\(path("root.json"))\"")
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
            [lane.indicators.ready]
            chip = "simulated"
            line = 2
            [lane.indicators.granted]
            chip = "simulated"
            line = 3
            [lane.indicators.denied]
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

    /// Brings the gate a stick on which the site says this and nothing else, beside its issuer (or that name with another key).
    /// - Parameter asAFolder: whether a gate that has site data goes through the whole folder again; it pauses a second between two. Else only what is
    ///   done with the bundles at the end is done.
    func publish(_ records: [PublicationRecord] = [], issuer: PublicKey? = nil, asAFolder: Bool = false, to controller: Controller) throws {
        try office.publish(only: [.issuer(TokenIssuer(name: Self.name, key: issuer ?? issuerKey.publicKey)), .ceiling(BundleOffice.ceiling)] + records)
        guard !asAFolder, controller.parts.trust.status.publication?.repository != nil else { return try bring(to: controller) }
        try office.repository.write(to: path("stick"))
        let full = try target("people/full"), site = try target("site/data"), now = Int64(Date().timeIntervalSince1970)
        let update = RepositoryUpdate(site: Self.name, state: office.state, siteHash: SHA256.hash(site.bytes), issuedAt: now - 10, expiresAt: now + 86_400)
        controller.siteDataApplied(try controller.parts.trust.apply(
            full: full.file.fileDescriptor, changes: nil, site: site.file.fileDescriptor, update, clock: controller.parts.clock.now().reading))
    }

    private func target(_ name: String) throws -> (file: FileHandle, bytes: [UInt8]) {
        let bytes = office.repository.targets[name] ?? []
        let file = try FileHandle(forReadingFrom: folder.appendingPathComponent("stick/targets/\(TUFRepository.fileName(of: name, bytes))"))
        return (file, bytes)
    }

    /// Brings what was published last.
    func bring(to controller: Controller) throws {
        try office.repository.write(to: path("stick"))
        try BroughtFolder.bring(path("stick"), to: controller)
    }

    /// The office says from now on that a role was signed then, UNIX seconds.
    func sign(_ role: String, at seconds: Int64) { office.sign(role, at: seconds) }

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
