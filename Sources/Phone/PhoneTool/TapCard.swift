import Threads
import VirtualPhone

/// A phone on the virtual reader with a stop-watch: it keeps what was said in each conversation, and
/// wakes whoever waits for the end of one.
public final class TapCard: Sendable {
    private let phone: PhoneCard
    private let fault: (answer: Int, fault: AnswerFault)?
    private let state = Monitor(State())

    fileprivate struct State: Sendable {
        var steps: [TapStep] = []
        /// Answers since the phone came onto the reader.
        var answers = 0
        var lastAnswer: [UInt8] = []
        var lastAnsweredAt: Int64?
        /// Conversations that ended and were not taken yet.
        var ended: [TapRecord] = []
        /// Whether the running conversation is among `ended` already.
        var isTold = false
        var stop: Stop?
    }

    /// Why nobody needs to wait any longer.
    public enum Stop: Sendable {
        /// The phone is off the reader.
        case gone
        /// A person stopped the program.
        case interrupted
    }

    /// What a wait ended with.
    public enum Event: Sendable {
        /// A conversation ended.
        case ended(TapRecord)
        /// None did, and none will.
        case stopped(Stop)
        /// None did in time.
        case timeout
    }

    /// A card for a phone.
    public init(_ phone: PhoneCard, misbehaviour: Misbehaviour? = nil) {
        self.phone = phone
        if case .answer(let number, let fault) = misbehaviour { self.fault = (number, fault) } else { fault = nil }
    }

    /// One command APDU in, one response APDU out.
    public func receive(_ command: [UInt8]) -> [UInt8] {
        let arrived = MonotonicTime.microseconds
        let answer = phone.receive(command)
        let isSelect = command.count > 1 && command[1] == Self.select
        return state.withLock { state in
            if isSelect { state.begin() }
            state.answers += 1
            let sent = spoilt(answer, number: state.answers, after: state.lastAnswer)
            let now = MonotonicTime.microseconds
            state.steps.append(TapStep(
                instruction: command.count > 1 ? command[1] : 0, commandLength: command.count, answerLength: sent.count,
                waited: state.lastAnsweredAt.map { arrived - $0 }, own: now - arrived))
            state.lastAnswer = sent
            state.lastAnsweredAt = now
            return sent
        }
    }

    private func spoilt(_ answer: [UInt8], number: Int, after last: [UInt8]) -> [UInt8] {
        guard let fault, fault.answer == number else { return answer }
        return fault.fault.apply(to: answer, after: last)
    }

    /// What the reader does to the card.
    public func handle(_ event: CardEvent) {
        switch event {
        case .powered, .command: break
        case .reset: phone.fieldLost()
        case .answered: reportEnd()
        case .gone: stop(.gone)
        }
    }

    /// Only when the answer has gone to the reader is a conversation that ended with it over: whoever
    /// hears of it may take the phone away.
    private func reportEnd() {
        guard let result = phone.result else { return }
        let gate = phone.gate
        state.change { state in
            guard !state.isTold else { return }
            state.isTold = true
            state.ended.append(TapRecord(result: result, steps: state.steps, gate: gate))
        }
    }

    /// There is nothing more to wait for.
    public func stop(_ stop: Stop) {
        state.change { $0.stop = $0.stop ?? stop }
    }

    /// Waits until a conversation has ended, or there is nothing more to wait for.
    /// - Parameter deadline: monotonic nanoseconds; nil waits without end.
    public func wait(untilNanoseconds deadline: Int64?) -> Event {
        guard let deadline else { return state.wait { $0.event } }
        return state.wait(untilNanoseconds: deadline) { $0.event } ?? .timeout
    }

    /// The conversation so far, as it stands when nobody waits for its end any more.
    public var unfinished: TapRecord {
        let (result, gate) = (phone.result, phone.gate)
        return state.withLock { TapRecord(result: result, steps: $0.steps, gate: gate) }
    }

    private static let select: UInt8 = 0xA4
}

extension TapCard.State {
    fileprivate mutating func begin() {
        steps = []
        lastAnsweredAt = nil
        isTold = false
    }

    fileprivate var event: TapCard.Event? {
        mutating get {
            if !ended.isEmpty { return .ended(ended.removeFirst()) }
            return stop.map { .stopped($0) }
        }
    }
}
