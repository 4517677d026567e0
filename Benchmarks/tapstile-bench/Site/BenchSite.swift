import Configuration
import Controller
import Cryptography
import Files
import Glibc
import Lines
import Service
import VirtualPhone

/// The benchmark's site in a folder of its own: keys, configurations, state, phones.
struct BenchSite {
    /// Lanes of the gate that is driven in process. Their relays are energised in turn, so that every
    /// tap moves a relay that is de-energised.
    static let lanes = 64

    let folder: String
    let keys: SiteKeys
    let phones: PhoneBook
    let repository: SiteRepository
    /// What the virtual reader is called.
    static let readerName = "Tapstile Bench Reader"

    init(folder: String, cache: String, enrolled: Int, revocations: Int, memberships: Int, report: Report) throws {
        let keys = try SiteKeys()
        let bundles = try BundleFiles(cache: cache, enrolled: enrolled, revocations: revocations, memberships: memberships, keys: keys, report: report)
        try self.init(folder: folder, keys, try PhoneBook(keys), try SiteRepository(bundles))
    }

    private init(folder: String, _ keys: SiteKeys, _ phones: PhoneBook, _ repository: SiteRepository) throws {
        (self.folder, self.keys, self.phones, self.repository) = (folder, keys, phones, repository)
        try Folder.make("\(folder)/state")
        try write(repository.root, "root.json")
        try write(KeyFile(role: .gateSigning, material: .signing(keys.gateSigning)).text(), "gate-signing.key")
        try write(KeyFile(role: .gateAgreement, material: .agreement(keys.gateAgreement)).text(), "gate-agreement.key")
        try write(Array(configuration(lanes: 1).utf8), "gate.toml")
        try write(Array(configuration(lanes: Self.lanes).utf8), "lanes.toml")
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// The same site in a folder of its own, with the site data that this one's gate has taken over and nothing else of its state.
    func part(_ name: String) throws -> BenchSite {
        let part = try BenchSite(folder: path(name), keys, phones, repository)
        for file in Folder.names(in: path("state")) where file.hasPrefix("trust.") {
            let (from, to) = (path("state/\(file)"), part.path("state/\(file)"))
            // The file of the whole is never written to again, only replaced; of a million keys it is large.
            if file == "trust.db" {
                guard link(from, to) == 0 else { throw BenchError("cannot link \(from) to \(to)") }
            } else {
                try SmallFile.replace(to, with: SmallFile.read(from), mode: 0o600)
            }
        }
        return part
    }

    /// The name of a lane.
    static func laneName(_ lane: Int) -> String { "lane-\(lane)" }

    /// The reader of a lane.
    static func reader(_ lane: Int) -> String { "reader-\(lane)" }

    /// The second reader of a lane of the soak, which gives up early.
    static func quickReader(_ lane: Int) -> String { "quick-\(lane)" }

    /// Writes a file of the site.
    func write(_ bytes: [UInt8], _ name: String) throws {
        try SmallFile.replace(path(name), with: bytes, mode: 0o600)
    }

    /// A configuration with so many lanes.
    /// - Parameters:
    ///   - methods: of EDHOC that every lane offers.
    ///   - deadline: milliseconds that a presentation may take.
    ///   - level: of the log.
    ///   - trust: further lines of `[trust]`.
    ///   - audit: further lines of `[audit]`. A disk that is busy makes taps slow here, and refuses none.
    ///   - lane: further keys of every lane.
    ///   - more: further tables.
    func configuration(lanes: Int, methods: [Int] = [0], deadline: Int = 1500, level: String = "error", trust: String = "",
                       audit: String = "", lane: String = "", more: String = "") -> String {
        let gate = """
            [site]
            id = "\(SiteKeys.site)"
            [gate]
            id = "gate-1"
            signing-key = "\(path("gate-signing.key"))"
            agreement-key = "\(path("gate-agreement.key"))"
            [trust]
            root = "\(path("root.json"))"
            refuse-after-days = 3650
            \(trust)
            [store]
            directory = "\(path("state"))"
            [control]
            socket = "\(path("control"))"
            group = "root"
            [clock]
            source = "installer"
            [audit]
            durable-within-ms = 2000
            \(audit)
            [log]
            target = "stderr"
            level = "\(level)"

            """
        return gate + more + (0..<lanes).map { Self.lane($0, methods: methods, deadline: deadline, more: lane) }.joined()
    }

    private static func lane(_ number: Int, methods: [Int], deadline: Int, more: String) -> String {
        """
        [[lane]]
        name = "\(laneName(number))"
        methods = \(methods)
        cooldown-success-ms = 0
        cooldown-failure-ms = 0
        \(more)
        [lane.relay]
        chip = "simulated"
        line = \(number * 4)
        pulse-ms = 50
        [lane.indicators.ready]
        chip = "simulated"
        line = \(number * 4 + 1)
        [lane.indicators.granted]
        chip = "simulated"
        line = \(number * 4 + 2)
        [lane.indicators.denied]
        chip = "simulated"
        line = \(number * 4 + 3)
        [[reader]]
        name = "\(reader(number))"
        lane = "\(laneName(number))"
        presentation-deadline-ms = \(deadline)
        [reader.match]
        name = "\(number == 0 ? readerName : "absent \(number)")"

        """
    }
}
