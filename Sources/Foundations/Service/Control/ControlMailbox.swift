import CLinux
import Files
import Threads

/// What other threads leave for the server's thread. Leaving something never blocks.
final class ControlMailbox: Sendable {
    /// The answer to long work, for one connection.
    struct Answer: Sendable {
        let connection: UInt64
        let lines: [[UInt8]]
    }

    struct Contents: Sendable {
        var events: [[UInt8]] = []
        /// Events that found no room.
        var dropped = 0
        var answers: [Answer] = []
        var stop = false

        var isEmpty: Bool { events.isEmpty && dropped == 0 && answers.isEmpty && !stop }
    }

    let wake: FileDescriptor
    private let limit: Int
    private let contents = Mutex(Contents())
    private let heard = Mutex(false)

    /// - Parameter limit: events that may wait.
    init(limit: Int) throws(SystemError) {
        self.limit = limit
        wake = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
    }

    /// Whether there is a subscriber: else nobody need make an event.
    var isHeard: Bool { heard.withLock { $0 } }

    /// Subscribers came or went.
    func setHeard(_ isHeard: Bool) { heard.withLock { $0 = isHeard } }

    func leave(event line: [UInt8]) {
        put { $0.events.count < limit ? $0.events.append(line) : ($0.dropped += 1) }
    }

    func leave(_ answer: Answer) { put { $0.answers.append(answer) } }

    func leaveStop() { put { $0.stop = true } }

    /// Takes everything out.
    func empty() -> Contents {
        _ = clinux_eventfd_clear(wake.raw)
        return contents.withLock { contents in
            defer { contents = Contents() }
            return contents
        }
    }

    private func put(_ change: (inout Contents) -> Void) {
        let wasEmpty = contents.withLock { contents in
            defer { change(&contents) }
            return contents.isEmpty
        }
        if wasEmpty { _ = clinux_eventfd_raise(wake.raw) }
    }
}

/// The server's second thread: long requests, one after the other.
final class ControlWork: Sendable {
    private struct Job: Sendable {
        let connection: UInt64
        let body: @Sendable () -> [[UInt8]]
    }

    private struct Queue: Sendable {
        var jobs: [Job] = []
        var ended = false
    }

    private let queue = Monitor(Queue())
    private let worker: Worker

    /// Answers go into the mailbox.
    init(mailbox: ControlMailbox, loops: Loops) throws(SystemError) {
        let queue = queue
        worker = try Worker(name: "control-work", loops: loops) { loop in
            while let job = Self.next(queue, loop) {
                mailbox.leave(.init(connection: job.connection, lines: job.body()))
            }
        }
    }

    /// At most one job per connection waits here: a client is not heard while it has one.
    func add(connection: UInt64, _ body: @escaping @Sendable () -> [[UInt8]]) {
        queue.change { $0.jobs.append(Job(connection: connection, body: body)) }
    }

    /// Nobody will ask any more, whether or not `stop` was reached.
    deinit { queue.change { $0 = Queue(ended: true) } }

    /// Ends after the job that is being done; the others are forgotten.
    func stop() {
        queue.change { $0 = Queue(ended: true) }
        worker.join()
    }

    private static func next(_ queue: Monitor<Queue>, _ loop: Loop) -> Job? {
        queue.wait(loop) { queue -> Job?? in
            if queue.ended { return .some(nil) }
            return queue.jobs.isEmpty ? nil : .some(queue.jobs.removeFirst())
        }
    }
}
