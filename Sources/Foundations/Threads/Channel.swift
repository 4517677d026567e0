/// Hands values from one thread to another, in their order. Whoever sends waits while as many are under way as may be; whoever receives
/// waits while there are none.
public final class Channel<Value: Sendable>: Sendable {
    private struct State {
        var underWay: [Value] = []
        var isClosed = false
        var isAbandoned = false
    }

    private let state = Monitor(State())
    private let most: Int

    /// - Parameter most: so many values are under way at most, at least one.
    public init(most: Int) {
        precondition(most > 0, "the callers' bounds are constants")
        self.most = most
    }

    /// Sends a value.
    /// - Returns: false when nobody takes any more; the value is gone then.
    @discardableResult
    public func send(_ value: Value) -> Bool {
        let isTaken = state.wait { state in
            guard !state.isAbandoned else { return false }
            guard state.underWay.count < most else { return nil }
            state.underWay.append(value)
            return true
        }
        // There is something to take.
        state.change { _ in }
        return isTaken
    }

    /// Nothing comes after what has been sent.
    public func close() { state.change { $0.isClosed = true } }

    /// The next value; nil when all were taken and nothing more comes.
    public func next() -> Value? {
        let value: Value? = state.wait { state in
            guard state.underWay.isEmpty else { return .some(state.underWay.removeFirst()) }
            return state.isClosed ? .some(nil) : nil
        }
        // There is room again.
        state.change { _ in }
        return value
    }

    /// Takes nothing more: what is under way is gone, and whoever sends is told.
    public func abandon() {
        state.change { state in
            state.isAbandoned = true
            state.underWay = []
        }
    }
}
