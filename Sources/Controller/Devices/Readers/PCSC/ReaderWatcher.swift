import Threads

/// The thread that knows which readers there are and what lies in their fields.
struct ReaderWatcher {
    let room: ReaderRoom
    let identifier: ReaderIdentifier
    /// The context that waits, for `stop` to cancel it.
    let waiting: WaitingContext

    /// After so long the list of readers is read again even if nothing was reported: in
    /// pcsc-lite 1.9.9 a reader that is plugged in between listing and waiting is not reported.
    /// And whoever wonders whether it is pcscd that hangs, or a reader, sees that pcscd answers.
    private static let listingMilliseconds: UInt = 750
    /// Between attempts to reach pcscd: doubled from the first to the last.
    private static let firstPause: Int64 = 100
    private static let lastPause: Int64 = 1_000
    /// A reader vanished between listing and waiting: pcscd gets a moment to finish.
    private static let vanishedPause: Int64 = 50

    func run(_ loop: Loop) {
        var pause = Self.firstPause
        while !room.isStopping {
            do throws(PCSCError) {
                try watch(asking { () throws(PCSCError) in try PCSCContext() }, loop) { pause = Self.firstPause }
            } catch {
                room.monitor.change { $0.disconnected(error) }
                room.publish()
            }
            waiting.clear()
            room.pause(loop, milliseconds: pause)
            pause = min(pause * 2, Self.lastPause)
        }
    }

    /// Makes a call to pcscd that others can see, for it may never return.
    private func asking<Answer>(_ call: () throws(PCSCError) -> Answer) throws(PCSCError) -> Answer {
        room.monitor.withLock { $0.watcherAsks(at: MonotonicTime.milliseconds) }
        defer { room.monitor.withLock { $0.watcherIsAnswered(at: MonotonicTime.milliseconds) } }
        return try call()
    }

    private func watch(_ context: PCSCContext, _ loop: Loop, onListed: () -> Void) throws(PCSCError) {
        waiting.set(context)
        var field = ReaderField()
        try list(context, &field) { $0.connected() }
        onListed()
        while !room.isStopping {
            loop.comesRound()
            try wait(context, &field, loop)
            try list(context, &field) { _ in }
        }
    }

    private func list(
        _ context: PCSCContext, _ field: inout ReaderField, first: (inout ReadersState) -> Void
    ) throws(PCSCError) {
        let names = try asking { () throws(PCSCError) in try context.listReaders() }
        let new = room.monitor.change { state in
            first(&state)
            return state.listed(names, at: MonotonicTime.milliseconds)
        }
        identifier.identify(new)
        room.publish()
        field.look(at: names)
    }

    private func wait(_ context: PCSCContext, _ field: inout ReaderField, _ loop: Loop) throws(PCSCError) {
        do {
            try asking { () throws(PCSCError) in
                try context.waitForChange(in: &field, milliseconds: Self.listingMilliseconds)
            }
        } catch {
            switch error.kind {
            case .cancelled: return
            case .readerGone: return room.pause(loop, milliseconds: Self.vanishedPause)
            case .timedOut, .contextLost, .cardGone, .sharing, .denied, .other: throw error
            }
        }
        room.monitor.change { state in
            let now = MonotonicTime.milliseconds
            for reader in field.readers { state.observed(reader.change, card: reader.card, on: reader.pcscName, at: now) }
        }
        room.publish()
    }
}

/// The watcher's context, shared with the thread that stops it.
///
/// `context` guards the reference, and is free while pcscd is called.
final class WaitingContext: Sendable {
    private let context = Mutex<PCSCContext?>(nil)

    func set(_ context: PCSCContext) {
        self.context.withLock { $0 = context }
    }

    func clear() {
        context.withLock { $0 = nil }
    }

    /// Wakes the watcher if it waits at this moment. The library forgets a cancel that comes a
    /// moment too early: repeat it until the watcher has ended.
    func cancel() {
        let context = self.context.withLock(\.self)
        context?.cancel()
    }
}
