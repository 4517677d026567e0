import Credentials
import Dispatch
import PhoneProtocol
import Readers
import Service
import Synchronization
import VirtualPhone
import Waits

@testable import Controller

/// A phone in the same process, as a link: what the reader would carry, without a reader.
final class TestPhone: Link {
    private let card: PhoneCard
    private let state = Mutex(State())

    private struct State {
        var closed = false
        var sent = 0
        var pulledAfter = Int.max
        var responses: (@Sendable (Int, [UInt8]) -> [UInt8])?
        var silentFrom = Int.max
        var comesAtOnce = false
    }
    private let ended = DispatchSemaphore(value: 0)

    init(_ identity: PhoneIdentity, _ settings: PhoneSettings = PhoneSettings()) {
        card = PhoneCard(NFCPhone(identity: identity, settings: settings))
    }

    /// The phone leaves the field before it answers command number `count` (from 0).
    func pull(after count: Int) -> TestPhone {
        state.withLock { $0.pulledAfter = count }
        return self
    }

    /// The phone comes within the pause of the one that was read before it, and may be that one.
    func atOnce() -> TestPhone {
        state.withLock { $0.comesAtOnce = true }
        return self
    }

    var mayBeTheSame: Bool { state.withLock { $0.comesAtOnce } }

    /// The phone gives no answer from command number `count` (from 0) on, as a driver that hangs.
    func silent(from count: Int) -> TestPhone {
        state.withLock { $0.silentFrom = count }
        return self
    }

    /// What the phone answers goes through `change` first, with the number of the command (from 0).
    func answering(_ change: @escaping @Sendable (Int, [UInt8]) -> [UInt8]) -> TestPhone {
        state.withLock { $0.responses = change }
        return self
    }

    func transmit(_ command: [UInt8]) throws(LinkError) -> [UInt8] {
        let number = try state.withLock { (state) throws(LinkError) -> Int in
            if state.closed { throw .timedOut }
            if state.sent >= state.pulledAfter { throw .cardGone(LinkFault(PCSCError(number: 0x8010_0069))) }
            state.sent += 1
            return state.sent - 1
        }
        if number >= state.withLock({ $0.silentFrom }) {
            ended.hold("the link of a silent phone")
            throw .timedOut
        }
        let response = card.receive(command)
        let change = state.withLock { $0.responses }
        let answer = change.map { $0(number, response) } ?? response
        if state.withLock({ $0.closed }) { throw .timedOut }
        return answer
    }

    func close(atMonotonicMilliseconds deadline: Int64) {}

    func invalidate() {
        state.withLock { $0.closed = true }
        ended.signal()
    }

    /// How many commands came.
    var commands: Int { state.withLock { $0.sent } }

    var result: PhoneResult? { card.result }

    /// What the gate said of itself.
    var sent: GateContext? { card.gate }

    /// What was said since the phone was last selected.
    var steps: [PhoneStep] { card.steps }

    /// What the gate told, after proof.
    var outcome: PhoneOutcome? {
        switch card.result {
        case .outcome(let outcome): outcome
        case .refused, .stopped, nil: nil
        }
    }

    /// The reason that the gate told.
    var reason: Reason? { outcome.flatMap { Reason(number: Int($0.reasonNumber)) } }
}
