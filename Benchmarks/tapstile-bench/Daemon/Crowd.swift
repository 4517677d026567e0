import PhoneProtocol
import Threads
import VirtualPhone

/// A crowd on one reader: each SELECT meets the next phone. Counts those that were told `granted`.
final class Crowd: Sendable {
    private struct State: Sendable {
        var phone = 0
        var granted = 0
    }

    private let cards: [PhoneCard]
    private let state = Monitor(State())

    init(_ identities: [PhoneIdentity]) {
        cards = identities.map { PhoneCard(NFCPhone(identity: $0)) }
    }

    /// The handler of the virtual card.
    func receive(_ command: [UInt8]) -> [UInt8] {
        let instruction = command.count > 1 ? command[1] : 0
        let card = state.withLock { state in
            if instruction == PhoneProtocolProfile.selectInstruction { state.phone = (state.phone + 1) % cards.count }
            return cards[state.phone]
        }
        let response = card.receive(command)
        if instruction == PhoneProtocolProfile.outcomeInstruction, case .outcome(let told) = card.result, told.result == .granted {
            state.change { $0.granted += 1 }
        }
        return response
    }

    /// Waits for so many grants; each must come in its time.
    func wait(for count: Int, _ gate: ChildProcess) throws(BenchError) {
        var (granted, last) = (0, Clock.now)
        while granted < count {
            let soon = Clock.now + 1_000_000_000
            if let more = state.wait(untilNanoseconds: soon, { [granted] in $0.granted > granted ? $0.granted : nil }) { (granted, last) = (more, Clock.now) }
            guard gate.isRunning else { throw BenchError("the gate ended after \(granted) of \(count) taps") }
            guard Clock.now - last < Patience.step else {
                let told = cards[state.withLock { $0.phone }].result
                throw BenchError("no tap was granted any more after \(granted) of \(count); a phone was told \(String(describing: told))")
            }
        }
    }
}
