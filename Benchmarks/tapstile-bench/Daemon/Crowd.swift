import Conversations
import Threads
import VirtualPhone

/// A crowd on one reader: each SELECT meets the next phone. Counts those that were told `granted`.
final class Crowd: Sendable {
    private struct State: Sendable {
        var phone = 0
        var granted = 0
    }

    private let cards: [OnTouchCard]
    private let state = Monitor(State())

    init(_ identities: [PhoneIdentity]) {
        cards = identities.map { OnTouchCard(OnTouchPhone(identity: $0)) }
    }

    /// The handler of the virtual card.
    func receive(_ command: [UInt8]) -> [UInt8] {
        let instruction = command.count > 1 ? command[1] : 0
        let card = state.withLock { state in
            if instruction == OnTouchProfile.selectInstruction { state.phone = (state.phone + 1) % cards.count }
            return cards[state.phone]
        }
        let response = card.receive(command)
        if instruction == OnTouchProfile.outcomeInstruction, case .outcome(let told) = card.result, told.result == .granted {
            state.change { $0.granted += 1 }
        }
        return response
    }

    /// Waits for so many grants.
    func wait(for count: Int, _ gate: ChildProcess) throws(BenchError) {
        while true {
            let soon = Clock.now + 1_000_000_000
            if state.wait(untilNanoseconds: soon, { $0.granted >= count ? () : nil }) != nil { return }
            guard gate.isRunning else { throw BenchError("the gate ended") }
        }
    }
}
