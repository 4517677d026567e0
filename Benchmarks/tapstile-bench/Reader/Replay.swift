import Threads

/// A card that says again what a phone has said, and takes as long.
final class Replay: Sendable {
    private struct State {
        var steps: [TapRecorder.Step] = []
        var next = 0
    }

    private let state = Mutex(State())

    /// What it says from now on.
    func load(_ steps: [TapRecorder.Step]) {
        state.withLock { $0 = State(steps: steps) }
    }

    /// The handler of the virtual card.
    func receive(_ command: [UInt8]) -> [UInt8] {
        let start = Clock.now
        let step = state.withLock { state -> TapRecorder.Step? in
            guard state.next < state.steps.count, state.steps[state.next].command == command else { return nil }
            state.next += 1
            return state.steps[state.next - 1]
        }
        guard let step else { return [0x6F, 0x00] }
        Clock.spin(until: start + step.took)
        return step.response
    }
}
