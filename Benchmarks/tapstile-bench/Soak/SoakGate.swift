import Configuration
import Controller
import Service

/// The real controller on simulated lines, with a journal so small that its ring goes round many times.
final class SoakGate: Sendable {
    /// The smallest ring that a configuration may have.
    static let ring = 10_000
    /// Each tap goes to a relay that is de-energised or nearly so.
    static let lanes = 32

    let controller: Controller
    let lanes: [SoakLane]
    private let logs: LogOutput
    private let folder: String

    init(_ site: BenchSite) throws {
        let path = site.path("soak.toml")
        try site.write(Array(Self.configuration(site).utf8), "soak.toml")
        let loaded = try ConfigurationFile.load(path: path)
        // Every line is made and queued as in service, and then forgotten.
        logs = try LogOutput(LogSettings(loaded.configuration.log)) { _ in }
        controller = try Controller(loaded, path: path, logs: logs)
        folder = loaded.configuration.store.directory
        lanes = (0..<Self.lanes).map(SoakLane.init)
        let slots = Dictionary(uniqueKeysWithValues: lanes.map { ($0.name, $0) })
        controller.listen { event in
            guard event.kind == .result, let lane = event.fields["lane"]?.string.flatMap({ slots[$0] }),
                  let reason = event.fields["reason"]?.string else { return }
            lane.note(reason)
        }
        try controller.start(withReaders: false)
    }

    /// Patient enough for a busy machine: a refusal must have its reason in the phone.
    private static func configuration(_ site: BenchSite) -> String {
        let quick = (0..<lanes).map { lane in
            """
            [[reader]]
            name = "\(BenchSite.quickReader(lane))"
            lane = "\(BenchSite.laneName(lane))"
            presentation-deadline-ms = 200
            [reader.match]
            name = "absent quick \(lane)"

            """
        }
        return site.configuration(lanes: lanes, methods: [0, 3], deadline: 10_000, level: "info",
                                  // Fewer than there are: tokens push each other out.
                                  trust: "token-cache = 100", audit: "max-records = \(ring)") + quick.joined()
    }

    /// Is brought a folder with the site's repository.
    func apply(_ folder: String) throws { _ = try Applying(controller: controller, folder: folder).finish() }

    /// What this process holds.
    var sample: SoakSample { SoakSample.measure(journalIn: folder) }

    /// What `status` says of the journal.
    func journal(_ field: String) -> Int { Int(controller.status["journal"]?[field]?.integer ?? 0) }

    func stop() {
        controller.stop()
        logs.stop()
    }

    /// What is wrong with the journal that it has left behind.
    func faults() throws -> [String] { try JournalWalk.faults(in: folder) }
}
