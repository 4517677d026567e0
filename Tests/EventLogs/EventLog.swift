import Synchronization

/// What happened, in order, as told from any thread; a test awaits the event it needs.
public final class EventLog<Event: Sendable>: Sendable {
    private struct Waiter {
        let fits: @Sendable (Event) -> Bool
        let continuation: CheckedContinuation<Event, Never>
    }

    private struct State {
        var all: [Event] = []
        var unread: [Event] = []
        var waiter: Waiter?
    }

    private let state = Mutex(State())

    public init() {}

    public func record(_ event: Event) {
        let waiter = state.withLock { state -> Waiter? in
            state.all.append(event)
            guard let waiter = state.waiter, waiter.fits(event) else {
                // What the waiting test skips over is read.
                if state.waiter == nil { state.unread.append(event) }
                return nil
            }
            state.waiter = nil
            return waiter
        }
        waiter?.continuation.resume(returning: event)
    }

    /// The next event that fits; those before it count as read. One test waits at a time.
    @discardableResult
    public func next(where fits: @escaping @Sendable (Event) -> Bool) async -> Event {
        await withCheckedContinuation { continuation in
            let found = state.withLock { state -> Event? in
                guard let index = state.unread.firstIndex(where: fits) else {
                    state.unread.removeAll()
                    state.waiter = Waiter(fits: fits, continuation: continuation)
                    return nil
                }
                defer { state.unread.removeSubrange(...index) }
                return state.unread[index]
            }
            if let found { continuation.resume(returning: found) }
        }
    }

    /// The next event that fits each of these, in the order of these, whichever comes first.
    public func next(each fits: [@Sendable (Event) -> Bool]) async -> [Event] {
        var found: [Int: Event] = [:]
        while found.count < fits.count {
            let missing = fits.indices.filter { found[$0] == nil }
            let event = await next { event in missing.contains { fits[$0](event) } }
            if let index = missing.first(where: { fits[$0](event) }) { found[index] = event }
        }
        return fits.indices.compactMap { found[$0] }
    }

    public var all: [Event] { state.withLock(\.all) }
}

extension EventLog where Event: Equatable {
    public func next(_ event: Event) async {
        await next { $0 == event }
    }
}
