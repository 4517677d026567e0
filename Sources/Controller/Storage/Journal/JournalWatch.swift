import Threads

/// Notices that the disk hangs: a call that never returns gives no error, so somebody else must look at
/// how long the writer has been at work. Has a thread of its own, which sleeps while all goes well and wakes
/// at most once for each `limit` of traffic.
final class JournalWatch: Sendable {
    private struct Watched {
        /// Since when the writer has been at work, in monotonic milliseconds; nil while it waits.
        var began: Int64?
        /// Whether that was told to be too long.
        var reporting = Reporting.nothing
        /// The thread waits to be woken.
        var isAsleep = false
        var isOver = false
    }

    private enum Reporting { case nothing, now, reported }

    private let limit: Int64
    private let watched = Monitor(Watched())
    private let thread: Worker

    /// - Parameters:
    ///   - limit: in milliseconds, how long a disk in order may take.
    ///   - tell: called on the watch's thread, once for each time the disk hangs.
    init(limit: Int64, loops: Loops = Loops(), report: @escaping @Sendable (StorageError) -> Void) throws(StorageError) {
        self.limit = limit
        let watched = watched
        thread = try Worker(storage: "journal-watch", loops: loops) { loop in
            while Self.waitForSlowness(watched, limit: limit, loop) {
                report(.hanging(limit))
                watched.change { $0.reporting = .reported }
            }
        }
    }

    /// False when the watch is over.
    private static func waitForSlowness(_ watched: Monitor<Watched>, limit: Int64, _ loop: Loop) -> Bool {
        watched.waitForStep(loop) { watched -> WaitStep<Bool> in
            watched.isAsleep = false
            if watched.isOver { return .proceed(false) }
            guard let began = watched.began, watched.reporting == .nothing else {
                watched.isAsleep = true
                return .wait(until: nil)
            }
            guard MonotonicTime.milliseconds >= began + limit else { return .wait(until: began + limit) }
            watched.reporting = .now
            return .proceed(true)
        }
    }

    // The writer's side --------------------------------------------------------------------------

    /// The writer goes to the disk.
    func begin() {
        let wakes = watched.withLock { watched -> Bool in
            watched.began = MonotonicTime.milliseconds
            return watched.isAsleep
        }
        if wakes { watched.change { _ in } }
    }

    /// The writer is back. Answers whether that took so long that it was told.
    func end() -> Bool {
        watched.wait { watched -> Bool? in
            watched.began = nil
            // Nobody hears that it is over before that it began.
            if watched.reporting == .now { return nil }
            defer { watched.reporting = .nothing }
            return watched.reporting == .reported
        }
    }

    /// Ends the thread.
    func stop() {
        watched.change { $0.isOver = true }
        thread.join()
    }

    // Everybody's --------------------------------------------------------------------------------

    /// That the disk hangs at this moment, nil if it does not.
    var failure: StorageError? {
        let now = MonotonicTime.milliseconds
        guard let began = watched.withLock({ $0.began }), now >= began + limit else { return nil }
        return .hanging(now - began)
    }
}

extension StorageError {
    /// The disk has not answered for so many milliseconds.
    static func hanging(_ milliseconds: Int64) -> StorageError {
        StorageError(.slow, "The disk has not answered for \(milliseconds / 1000) s.")
    }
}
