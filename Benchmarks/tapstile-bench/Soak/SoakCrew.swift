import Controller
import Threads

/// The threads that tap, each with lanes of its own, as readers do. They last, so that neither their
/// start nor their end is taken for growth.
final class SoakCrew: Sendable {
    private struct State: Sendable {
        var next = 0
        var limit = 0
        var busy = 0
        var isOver = false
        var failure: BenchError?
    }

    private let state = Monitor(State())
    private let lanes: [SoakLane]
    private let controller: Controller
    private let mix: SoakMix
    private let tally: SoakTally
    private let workers = Mutex<[Worker]>([])

    init(lanes: [SoakLane], controller: Controller, mix: SoakMix, tally: SoakTally) {
        self.lanes = lanes
        self.controller = controller
        self.mix = mix
        self.tally = tally
    }

    /// Starts so many threads; lanes are dealt out to them.
    func start(threads: Int) throws {
        for number in 0..<threads {
            let own = stride(from: number, to: lanes.count, by: threads).map { lanes[$0] }
            let worker = try Worker(name: "soak-\(number)") { [self] in work(on: own) }
            workers.withLock { $0.append(worker) }
        }
    }

    /// Goes on until so many taps were made altogether, and waits for the last one.
    func tap(until count: Int) throws(BenchError) {
        state.change { $0.limit = count }
        let failure = state.wait { state -> BenchError?? in
            if let failure = state.failure { return .some(failure) }
            return state.next >= state.limit && state.busy == 0 ? .some(nil) : nil
        }
        if let failure { throw failure }
    }

    /// Ends the threads.
    func stop() {
        state.change { $0.isOver = true }
        for worker in workers.withLock({ $0 }) { worker.join() }
    }

    private func work(on own: [SoakLane]) {
        var turn = 0
        while let number = claim() {
            let (kind, phone) = mix.encounter(number)
            do throws(BenchError) {
                tally.add(kind, try own[turn % own.count].tap(kind, phone, at: controller), tap: number)
            } catch {
                state.change { $0.failure = error }
            }
            turn += 1
            state.change { $0.busy -= 1 }
        }
    }

    /// The number of the next tap, once there is one; nil at the end.
    private func claim() -> Int? {
        state.wait { state -> Int?? in
            if state.isOver || state.failure != nil { return .some(nil) }
            guard state.next < state.limit else { return nil }
            defer { state.next += 1 }
            state.busy += 1
            return .some(state.next)
        }
    }
}
