import Threads

/// What happened, in order, as told from any thread; a test awaits the event it needs.
public final class EventLog<Event: Sendable>: Sendable {
    private struct Waiter {
        let number: Int
        let fits: @Sendable (Event) -> Bool
        let continuation: CheckedContinuation<Event?, Never>
    }

    private struct State {
        var all: [Event] = []
        /// So many of them count as read.
        var read = 0
        var waiter: Waiter?
        var waits = 0
        /// Waits up to this one are over: who comes late with it waits no more.
        var over = 0

        mutating func remove(_ fits: (Event) -> Bool) -> Event? {
            guard let index = all[read...].firstIndex(where: fits) else { return nil }
            read = index + 1
            return all[index]
        }

        /// The waiter, if it is still that one.
        mutating func dismiss(_ number: Int) -> Waiter? {
            over = max(over, number)
            guard let waiter, waiter.number == number else { return nil }
            self.waiter = nil
            return waiter
        }
    }

    private let state = Mutex(State())

    public init() {}

    public func record(_ event: Event) {
        let waiter = state.withLock { state -> Waiter? in
            state.all.append(event)
            guard let waiter = state.waiter, waiter.fits(event) else { return nil }
            // What the waiting test skipped over is read.
            state.read = state.all.count
            return state.dismiss(waiter.number)
        }
        waiter?.continuation.resume(returning: event)
    }

    /// The next event that fits; those before it count as read. One test waits at a time.
    /// - Parameters:
    ///   - what: which event that is, for somebody who reads a red run: "the first command".
    ///   - seconds: twice as long as others, for what the test has begun as a task may be late where all threads for tasks are
    ///     taken. The limit itself is kept by a thread of its own.
    @discardableResult
    public func next(
        _ what: String, seconds: Int = WaitLimit.secondsOfHold, fileID: String = #fileID, line: Int = #line,
        where fits: @escaping @Sendable (Event) -> Bool
    ) async throws -> Event {
        let (number, read) = state.withLock { state in
            state.waits += 1
            return (state.waits, state.read)
        }
        let hasCome = Monitor(false)
        let limit = MonotonicTime.nanoseconds + Int64(seconds) * 1_000_000_000
        // It ends by itself: nobody waits for it.
        _ = try Worker(name: "wait-limit") { [self] in
            guard hasCome.wait(untilNanoseconds: limit, { $0 ? () : nil }) == nil else { return }
            state.withLock { $0.dismiss(number) }?.continuation.resume(returning: nil)
        }
        defer { hasCome.change { $0 = true } }
        if let event = await find(number, fits) { return event }
        let came = all[read...].map { "\($0)" }
        throw WaitedInVain(what, instead: came.joined(separator: ", "), seconds: seconds, fileID: fileID, line: line)
    }

    /// Nil when it is dismissed.
    private func find(_ number: Int, _ fits: @escaping @Sendable (Event) -> Bool) async -> Event? {
        await withCheckedContinuation { continuation in
            let found = state.withLock { state -> Event?? in
                if let event = state.remove(fits) { return event }
                guard state.over < number else { return .some(nil) }
                state.waiter = Waiter(number: number, fits: fits, continuation: continuation)
                return nil
            }
            if let found { continuation.resume(returning: found) }
        }
    }

    /// The next event that fits each of these, in the order of these, whichever comes first.
    public func next(
        _ what: String, fileID: String = #fileID, line: Int = #line, each fits: [@Sendable (Event) -> Bool]
    ) async throws -> [Event] {
        var found: [Int: Event] = [:]
        while found.count < fits.count {
            let missing = fits.indices.filter { found[$0] == nil }
            let stage = "\(what) (\(found.count) of \(fits.count) came)"
            let event = try await next(stage, fileID: fileID, line: line) { event in
                missing.contains { fits[$0](event) }
            }
            if let index = missing.first(where: { fits[$0](event) }) { found[index] = event }
        }
        return fits.indices.compactMap { found[$0] }
    }

    public var all: [Event] { state.withLock(\.all) }
}

extension EventLog where Event: Equatable {
    public func next(_ event: Event, fileID: String = #fileID, line: Int = #line) async throws {
        try await next("\(event)", fileID: fileID, line: line) { $0 == event }
    }
}
