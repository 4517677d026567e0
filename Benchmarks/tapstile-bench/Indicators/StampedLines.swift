import Lines
import Threads

/// The simulated lines, with the time at which each was last switched on.
final class StampedLines: LineBank {
    private let bank: SimulatedLineBank
    private let stamps = Monitor<[LineName: Int64]>([:])

    init(_ requests: [LineRequest]) {
        bank = SimulatedLineBank(requests)
    }

    var faults: [LineName: LineError] { bank.faults }

    var foundActive: Set<LineName> { bank.foundActive }

    func set(_ line: LineName, active: Bool) throws(LineError) {
        try bank.set(line, active: active)
        if active { stamps.change { $0[line] = Clock.now } }
    }

    func read(_ line: LineName) throws(LineError) -> Bool { try bank.read(line) }

    var inputDescriptor: Int32? { bank.inputDescriptor }

    func drainInputEvents() -> [LineEvent] { bank.drainInputEvents() }

    func release() { bank.release() }

    /// What an outside contact does to an input; answers when.
    func drive(_ line: LineName, active: Bool) throws(LineError) -> Int64 {
        let now = Clock.now
        try bank.drive(line, active: active)
        return now
    }

    /// When the line was switched on after `cause`, in nanoseconds; nil when it was not within two seconds.
    func onSet(_ line: LineName, after cause: Int64) -> Int64? {
        stamps.wait(untilNanoseconds: cause + 2_000_000_000) { stamps in stamps[line].flatMap { $0 > cause ? $0 : nil } }
    }

    /// Waits until the line is off.
    func waitUntilIdle(_ line: LineName) throws(BenchError) {
        let deadline = Clock.now + Patience.step
        while bank.isActive(line) == true {
            guard Clock.now < deadline else { throw BenchError("\(line) stays on") }
            Clock.pause(milliseconds: 1)
        }
    }
}
