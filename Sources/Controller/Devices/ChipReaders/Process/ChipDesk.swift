import ReaderProtocol
import Threads

/// What the two threads of the program leave for each other: the gate's orders for the one, where the chip is for the other.
final class ChipDesk: Sendable {
    private struct State {
        var orders: [ReaderOrder] = []
        var position = PollingPosition()
        var isClosed = false
    }

    /// The gate says one thing after the other. Whoever says so many that nobody has heard does not keep to the protocol.
    static let mostOrders = 8

    private let state = Monitor(State())
    let abort = ChipAbort()

    /// False when too many are waiting.
    func leave(_ order: ReaderOrder) -> Bool {
        if order == .abort { abort.raise() }
        return state.change { state in
            guard state.orders.count < Self.mostOrders else { return false }
            state.orders.append(order)
            return true
        }
    }

    /// The next order, at that monotonic time in nanoseconds at the latest; a time that has come asks only. Nil: none, or there will be none
    /// any more.
    func nextOrder(untilNanoseconds time: Int64?) -> ReaderOrder? {
        func look(_ state: inout State) -> ReaderOrder?? {
            if !state.orders.isEmpty { return .some(state.orders.removeFirst()) }
            return state.isClosed ? .some(nil) : nil
        }
        guard let time else { return state.wait(look) }
        return state.wait(untilNanoseconds: time, look) ?? nil
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// The connection has ended.
    func close() { state.change { $0.isClosed = true } }

    /// Where the chip's thread is.
    var position: PollingPosition {
        get { state.withLock(\.position) }
        set { state.withLock { $0.position = newValue } }
    }
}
