import CommandLineOptions
import Encoding
import PhoneTool
import Service
import Threads
import VirtualPhone

/// Presents the phone over Bluetooth and waits.
struct BluetoothTapCommand {
    private let command: ParsedCommand
    private let identity: PhoneIdentity
    private let settings: PhoneSettings
    private let words: [String: String]
    private let approach: BluetoothApproach
    private let plan: BluetoothPlan
    private let timeoutMilliseconds: Int
    private let times: Int
    private let awayMilliseconds: Int

    /// Chooses Bluetooth.
    static let option = "ble"
    /// Mean something over Bluetooth only.
    static let options = ["adapter", "address", "classic", "service", "mtu", "handle"]
    private static let otherOptions = ["port", "slot", "hold"]

    private static let usualTimeout = 10000
    private static let usualAbsence = 800

    init(_ command: ParsedCommand) throws {
        self.command = command
        try command.refuse(Self.otherOptions, beside: Self.option)
        identity = try PhoneIdentity(command)
        settings = try PhoneSettings(command, signs: identity.signs)
        let terms = try WalletChoice.terms(command)
        words = terms?.words(in: settings.language) ?? [:]
        approach = try BluetoothApproach(command, services: terms?.services ?? [])
        let handle = try command.integer("handle", in: 1...Int(UInt16.max))
        plan = BluetoothPlan(
            mtu: try command.integer("mtu", in: ATTLimits.leastMTU...ATTLimits.greatestMTU) ?? ATTLimits.greatestMTU,
            handle: handle.map { UInt16($0) }, service: approach.service,
            misbehaviour: try command.value("misbehave").map { text throws(PhoneToolError) in try BluetoothMisbehaviour(text) },
            deadline: 0)
        timeoutMilliseconds = try command.integer("timeout", in: 0...86_400_000) ?? Self.usualTimeout
        times = try command.integer("times", in: 1...1_000_000) ?? 1
        awayMilliseconds = try command.integer("gap-ms", in: 0...86_400_000) ?? Self.usualAbsence
    }

    /// Answers with the verdict of the last tap.
    func run() throws -> TapVerdict {
        do {
            let stop = try BluetoothStop()
            let stopped = Monitor(false)
            let signals = try SignalWatch { signal in
                guard signal == .stop else { return }
                stop.raise()
                stopped.change { $0 = true }
            }
            defer { signals.stop() }
            var verdict = try present(stop)
            for _ in 1..<times {
                if stayAway(stopped) { break }
                verdict = try present(stop)
            }
            return verdict
        } catch let error as BluetoothError {
            throw PhoneToolError.bluetooth(error)
        }
    }

    /// Finds the gate, taps and lets it go.
    private func present(_ stop: BluetoothStop) throws -> TapVerdict {
        var plan = plan
        plan.deadline = MonotonicTime.nanoseconds + Int64(timeoutMilliseconds) * 1_000_000
        let (found, link) = try approach.connect(until: plan.deadline, stop: stop)
        defer { approach.leave(found) }
        var tap = BluetoothTap(BluetoothPhone(identity: identity, settings: settings), on: link, plan: plan)
        let record = tap.run()
        let report = BluetoothReport(record, approach: found, words: words)
        if command.has("json") { StandardStream.output.write(report.json) } else { for line in report.lines { StandardStream.output.write(line: line) } }
        return record.verdict
    }

    /// The pause before the phone is presented again. True when a person stopped the program.
    private func stayAway(_ stopped: Monitor<Bool>) -> Bool {
        let until = MonotonicTime.nanoseconds + Int64(awayMilliseconds) * 1_000_000
        return stopped.wait(untilNanoseconds: until) { $0 ? true : nil } ?? false
    }
}
