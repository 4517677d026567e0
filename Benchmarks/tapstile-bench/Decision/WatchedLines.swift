import Lines
import Threads

/// The simulated lines, with an eye on the relays.
final class WatchedLines: LineBank {
    private let bank: SimulatedLineBank
    private let watch: TapWatch

    init(_ requests: [LineRequest], watch: TapWatch) {
        bank = SimulatedLineBank(requests)
        self.watch = watch
    }

    var faults: [LineName: LineError] { bank.faults }

    var foundActive: Set<LineName> { bank.foundActive }

    func set(_ line: LineName, active: Bool) throws(LineError) {
        try bank.set(line, active: active)
        if active, line.hasSuffix("-relay") { watch.noteRelay() }
    }

    func read(_ line: LineName) throws(LineError) -> Bool { try bank.read(line) }

    func release() { bank.release() }

    /// Waits until a pulse has ended.
    func waitUntilIdle(_ relay: LineName) throws(BenchError) {
        let deadline = Clock.now + Patience.step
        while bank.isActive(relay) == true {
            guard Clock.now < deadline else { throw BenchError("\(relay) stays energised") }
            Clock.pause(milliseconds: 1)
        }
    }
}
