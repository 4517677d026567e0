import Configuration
import Controller
import Lines
import PhoneProtocol
import Readers
import Service
import VirtualPhone

/// The real controller in this process, tapped by phones in this process, on the state that the
/// daemon has left behind.
///
/// `@unchecked Sendable`: one thread taps at a time.
final class InProcessGate: @unchecked Sendable {
    let controller: Controller
    let watch = TapWatch()
    let byValue: [PhoneCard]
    let byReference: [PhoneCard]
    let enrolled: [PhoneCard]
    private let lines: WatchedLines
    private let logs: LogOutput
    private let phones: Int
    private var taps = 0

    /// - Parameter phones: so many of each kind take turns.
    init(_ site: BenchSite, phones: Int = PhoneBook.count) throws {
        let loaded = try ConfigurationFile.load(path: site.path("lanes.toml"))
        logs = try LogOutput(LogSettings(loaded.configuration.log))
        lines = WatchedLines(loaded.configuration.lanes.flatMap(LineRequest.all(of:)), watch: watch)
        controller = try Controller(loaded, path: site.path("lanes.toml"), bank: lines, logs: logs)
        self.phones = phones
        byValue = Self.cards(site.phones.byValue.prefix(phones), .suite2)
        byReference = Self.cards(site.phones.byReference.prefix(phones), .suite2)
        enrolled = Self.cards(site.phones.enrolled.prefix(phones), .suite2)
        watch.follow(controller)
        try controller.start(withReaders: false)
    }

    /// Phones of these people that speak another suite.
    func cards(_ identities: [PhoneIdentity], _ suite: CipherSuite) -> [PhoneCard] { Self.cards(identities.prefix(phones), suite) }

    private static func cards(_ identities: ArraySlice<PhoneIdentity>, _ suite: CipherSuite) -> [PhoneCard] {
        identities.map { PhoneCard(NFCPhone(identity: $0, settings: PhoneSettings(suites: [suite.rawValue]))) }
    }

    func stop() {
        controller.stop()
        logs.stop()
    }

    /// Is brought the site's repository, in a folder that is made for it.
    func apply(_ repository: SiteRepository, version: UInt64, in folder: String) throws {
        defer { Folder.remove(folder) }
        try repository.write(version: version, to: folder)
        _ = try Applying(controller: controller, folder: folder).finish()
    }

    /// The next lane, its relay de-energised.
    func nextLane() throws(BenchError) -> Int {
        taps += 1
        let lane = taps % BenchSite.lanes
        try lines.waitUntilIdle("lane-\(lane)-relay")
        return lane
    }

    /// Lets the gate know every token: each is shown once.
    func learnTokens() throws(BenchError) {
        for card in byValue { _ = try tap(card) }
    }

    /// Taps with one phone; every one must be granted.
    /// - Parameter atLastByte: called where the decision begins.
    func tap(_ card: PhoneCard, pace: PhoneLink.Pace = .instant,
             atLastByte: (@Sendable () -> Void)? = nil) throws(BenchError) -> TapWatch.Result {
        let lane = try nextLane()
        watch.begin()
        let link = PhoneLink(card, watch: watch, pace: pace, atLastByte: atLastByte)
        _ = controller.present(link, at: BenchSite.reader(lane))
        guard let result = watch.result else { throw BenchError("a tap was not granted: \(String(describing: card.result))") }
        return result
    }
}
