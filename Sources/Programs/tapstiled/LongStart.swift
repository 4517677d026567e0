import Service
import Threads

/// Asks systemd for more time as long as the gate is still starting: a tired SD card takes seconds for each of
/// several writes, and a journal of an older version is brought up to date. Lines are de-energised meanwhile. A start
/// that hangs is ended all the same, later.
final class LongStart: Sendable {
    /// Milliseconds between two requests, and for how much longer each asks.
    private static let interval: Int64 = 5000
    private static let more: Int64 = 15_000
    /// So often it asks: for ten minutes.
    private static let most = 120

    private let isOver = Monitor(false)
    private let worker: Worker

    init() throws(SystemError) {
        let began = MonotonicTime.milliseconds
        worker = try Worker(name: "long-start", stackBytes: 128 * 1024) { [isOver] in
            for turn in 1...Int64(Self.most) {
                let next = turn * Self.interval + began
                if isOver.wait(untilNanoseconds: MonotonicTime.nanoseconds(atMilliseconds: next), { $0 ? () : nil }) != nil { return }
                Notify.extendTimeout(milliseconds: Self.more)
            }
        }
    }

    /// The start is over, either way.
    func end() {
        isOver.change { $0 = true }
        worker.join()
    }
}
