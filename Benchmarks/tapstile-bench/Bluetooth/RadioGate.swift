import Configuration
import Controller
import Lines
import Radio
import Service
import Tap
import Threads
import VirtualPhone

/// The real controller in this process with a radio at each of its lanes. Phones in this process come to who serves the radios, by the
/// calls that `Radios` would make; there is no bluetoothd and no air.
///
/// `@unchecked Sendable`: one thread taps at a time.
final class RadioGate: @unchecked Sendable {
    /// Each tap moves a relay that is de-energised.
    static let lanes = 8
    let watch = TapWatch()
    private let controller: Controller
    private let lines: WatchedLines
    private let logs: LogOutput
    private let client: any RadioClient
    private var taps = 0

    init(_ site: BenchSite) throws {
        let radios = (0..<Self.lanes).map(Self.radio).joined()
        let lane = "carriers = \"both\"\nble-background-cooldown-ms = 0"
        try site.write(Array(site.configuration(lanes: Self.lanes, lane: lane, more: radios).utf8), "radios.toml")
        let loaded = try ConfigurationFile.load(path: site.path("radios.toml"))
        logs = try LogOutput(LogSettings(loaded.configuration.log))
        lines = WatchedLines(loaded.configuration.lanes.flatMap(LineRequest.all(of:)), watch: watch)
        controller = try Controller(loaded, path: site.path("radios.toml"), bank: lines, logs: logs)
        client = controller.radioClient(AirInProcess())
        watch.follow(controller)
        try controller.start(withReaders: false)
    }

    private static func radio(_ lane: Int) -> String {
        """
        [[radio]]
        name = "\(name(lane))"
        lanes = ["\(BenchSite.laneName(lane))"]
        address = "\(address(lane))"

        """
    }

    /// The name of a lane's radio.
    static func name(_ lane: Int) -> String { "radio-\(lane)" }

    /// The address of its adapter.
    static func address(_ lane: Int) -> String { "02:00:00:00:00:0\(lane)" }

    func stop() {
        controller.stop()
        logs.stop()
    }

    /// Who serves the radios of this gate, for a thread of radios.
    func client(onState: @escaping @Sendable (String, RadioState) -> Void) -> any RadioClient {
        controller.radioClient(AirInProcess(), onState: onState)
    }

    /// A phone connects at the next lane, whose relay is de-energised, and is heard as near.
    func connect() throws(BenchError) -> BenchTap {
        taps += 1
        let lane = taps % Self.lanes
        try lines.waitUntilIdle("\(BenchSite.laneName(lane))-relay")
        watch.begin()
        return BenchTap(RadioLink(radio: Self.name(lane), id: UInt64(taps)), client)
    }
}

/// Phones in this process are as near as they say and go by themselves.
private final class AirInProcess: LinkControl {
    func measure(_ link: RadioLink, everyMilliseconds interval: Int64) {}
    func stopMeasuring(_ link: RadioLink) {}
    func drop(_ link: RadioLink) {}
}
