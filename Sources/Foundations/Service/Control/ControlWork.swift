import Threads

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
