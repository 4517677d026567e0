import Threads
import VirtualPhone

/// The phone on the virtual reader, and a record of what was said and how long it took to answer.
final class TapRecorder: Sendable {
    /// One command, the answer, and the nanoseconds between them.
    struct Step: Sendable {
        let command: [UInt8]
        let response: [UInt8]
        let took: Int64
    }

    private struct State {
        var card: PhoneCard
        var steps: [Step] = []
    }

    private let state: Mutex<State>

    init(_ card: PhoneCard) { state = Mutex(State(card: card)) }

    /// From now on this phone is in the field, and nothing is on record.
    func start(_ card: PhoneCard) {
        state.withLock { $0 = State(card: card) }
    }

    /// What was said.
    var steps: [Step] { state.withLock { $0.steps } }

    /// The handler of the virtual card.
    func receive(_ command: [UInt8]) -> [UInt8] {
        let card = state.withLock { $0.card }
        let start = Clock.now
        let response = card.receive(command)
        let took = Clock.now - start
        state.withLock { $0.steps.append(Step(command: command, response: response, took: took)) }
        return response
    }
}
