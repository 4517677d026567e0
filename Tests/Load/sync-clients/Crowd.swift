import CommandLineOptions
import ControlProtocol
import Encoding
import Files
import Glibc
import SiteData
import Threads
import Uplink

/// Many gates, served by a few threads.
final class Crowd {
    private let squads: [Squad]

    /// The gates of one thread. Only that thread touches them, and between two of them nobody: each is waited for.
    private final class Squad: @unchecked Sendable {
        var gates: [SimulatedGate] = []
        var failures: [String: Int] = [:]

        func synchronise(at now: Int64) {
            for index in gates.indices {
                do {
                    try gates[index].synchronise(at: now)
                } catch {
                    failures[LoadFault.code(of: error), default: 0] += 1
                }
            }
        }
    }

    init(_ options: CrowdOptions) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError("make a pipe", errno) }
        // Nobody ever writes to the other end, and it stays open to the end of the process.
        let never = FileDescriptor(owning: ends[0], path: "never")
        let setup = try FetchSetup(authorities: options.authorities, agent: "tapstile/load")
        let root = try SmallFile.read(options.root, limit: UpdateLimits().root)
        squads = (0..<min(options.atOnce, options.gates)).map { _ in Squad() }
        for number in 0..<options.gates {
            let fetcher = try GateFetcher(setup, never: never)
            squads[number % squads.count].gates.append(SimulatedGate(options, number: number, root: root, fetcher: fetcher))
        }
        StandardStream.output.write(JSON.object(["gates": JSON(options.gates)]))
    }

    /// A period for every line of input.
    func run() throws {
        while readLine() != nil { try period() }
    }

    private func period() throws {
        let began = MonotonicTime.milliseconds
        let now = Int64(time(nil))
        let workers = try squads.map { squad in try Worker(name: "gates", stackBytes: 1 << 20) { squad.synchronise(at: now) } }
        for worker in workers { worker.join() }
        StandardStream.output.write(JSON.object([
            "failed": .object(JSONObject(failures.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) })),
            "milliseconds": JSON(MonotonicTime.milliseconds - began),
            "versions": .object(JSONObject(versions.sorted { $0.key < $1.key }.map { ("\($0.key)", JSON($0.value)) }))
        ]))
    }

    /// How often each failure was met, and forgets it.
    private var failures: [String: Int] {
        squads.reduce(into: [:]) { all, squad in
            all.merge(squad.failures) { $0 + $1 }
            squad.failures = [:]
        }
    }

    /// How many gates have which version of people; 0 stands for none.
    private var versions: [UInt64: Int] {
        squads.reduce(into: [:]) { all, squad in
            for gate in squad.gates { all[gate.version ?? 0, default: 0] += 1 }
        }
    }
}
