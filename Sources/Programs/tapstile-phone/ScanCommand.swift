import CommandLineOptions
import Encoding
import PhoneTool
import Service
import Threads
import VirtualPhone

/// Tells which gates are heard.
struct ScanCommand {
    private let approach: BluetoothApproach
    private let milliseconds: Int
    private let json: Bool

    private static let usualTime = 3000

    init(_ command: ParsedCommand) throws {
        approach = try BluetoothApproach(command)
        milliseconds = try command.integer("time", in: 0...86_400_000) ?? Self.usualTime
        json = command.has("json")
    }

    func run() throws {
        do {
            let stop = try BluetoothStop()
            let signals = try SignalWatch { if $0 == .stop { stop.raise() } }
            defer { signals.stop() }
            let deadline = MonotonicTime.nanoseconds + Int64(milliseconds) * 1_000_000
            let gates = try approach.search(until: deadline, stop: stop)
            guard !gates.isEmpty else { throw BluetoothError.nobodyFound(approach.service) }
            for gate in gates {
                if json { StandardStream.output.write(gate.json) } else { StandardStream.output.write(line: gate.text) }
            }
        } catch let error as BluetoothError {
            throw PhoneToolError.bluetooth(error)
        }
    }
}

extension FoundGate {
    fileprivate var json: JSON {
        ["address": .string(address.description), "isRandom": .bool(address.kind == .random), "service": .string(service.description),
         "name": localName.map { .string($0) } ?? .null, "dBm": strength.map { JSON($0) } ?? .null]
    }

    /// The name as JSON writes it: anybody may call himself anything, a terminal's commands included.
    fileprivate var text: String {
        let name = localName.map { JSON.string($0).text } ?? "without a name"
        return "\(address)\(address.kind == .random ? ",random" : "")  \(strength.map { "\($0) dBm" } ?? "strength unknown")  \(name)"
    }
}
