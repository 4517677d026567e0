import CLinux

/// Long work for which nobody at a gate waits.
public enum BackgroundWork {
    /// Runs `body` on a thread of its own that gives way to all others on the processor and at the disk,
    /// and waits for it. A priority once given up cannot be had back, hence the thread. Where the system
    /// grants no thread or no change, the work is done all the same.
    public static func run<Result: Sendable>(name: String, _ body: @escaping @Sendable () -> Result) -> Result {
        let answer = Monitor<Result?>(nil)
        let worker = try? Worker(name: name) {
            // Refused by a filter of system calls, for example.
            _ = clinux_thread_give_way()
            let result = body()
            answer.change { $0 = result }
        }
        guard let worker else { return body() }
        defer { worker.join() }
        return answer.wait { $0 }
    }
}
