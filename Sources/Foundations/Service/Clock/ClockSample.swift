import CLinux
import Files
import Threads

/// What the machine says about time at one moment.
struct ClockSample: Hashable, Sendable {
    /// Milliseconds since 1970, as the kernel has them.
    var realtime: Int64
    /// Milliseconds since this boot, also counting sleep.
    var sinceBoot: Int64
    /// Milliseconds since this boot by the oscillator alone, also counting sleep: whoever steers the wall clock does not steer this.
    var raw: Int64
    /// The kernel's word at `askedAt`.
    var kernelSynchronised: Bool
    /// When the kernel was asked for its word, in milliseconds since this boot.
    var askedAt: Int64

    /// Milliseconds for which the kernel's word holds. It is a system call of some microseconds, in the way of every tap;
    /// the clocks themselves are read without one.
    static let wordHolds: Int64 = 1000
    /// Milliseconds by which the wall clock may run away from the other one meanwhile: more than a clock that is being
    /// corrected does in a second, and less than anybody sets one by.
    static let drift: Int64 = 10

    init(realtime: Int64, sinceBoot: Int64, raw: Int64? = nil, kernelSynchronised: Bool, askedAt: Int64? = nil) {
        self.realtime = realtime
        self.sinceBoot = sinceBoot
        self.raw = raw ?? sinceBoot
        self.kernelSynchronised = kernelSynchronised
        self.askedAt = askedAt ?? sinceBoot
    }

    /// Reads the clocks, and asks the kernel whether its one is synchronised: unless it was asked a moment ago and nobody
    /// has set the clock since. A kernel that refuses to say (a filter forbids adjtimex) counts as not synchronised.
    static func read(after earlier: ClockSample?) -> ClockSample {
        read(after: earlier, realtime: clinux_realtime_nanoseconds().quotientFloor(1_000_000),
             sinceBoot: clinux_boottime_nanoseconds() / 1_000_000, raw: clinux_steady_nanoseconds() / 1_000_000) {
            var state = clinux_clock_state()
            return clinux_clock_state_read(&state) == 0 && state.synchronised == 1
        }
    }

    static func read(after earlier: ClockSample?, realtime: Int64, sinceBoot: Int64, raw: Int64? = nil, askKernel: () -> Bool) -> ClockSample {
        if let earlier, earlier.speaks(of: realtime, sinceBoot) {
            return ClockSample(realtime: realtime, sinceBoot: sinceBoot, raw: raw, kernelSynchronised: earlier.kernelSynchronised,
                               askedAt: earlier.askedAt)
        }
        return ClockSample(realtime: realtime, sinceBoot: sinceBoot, raw: raw, kernelSynchronised: askKernel())
    }

    /// Whether what the kernel said for this sample holds for such a reading.
    private func speaks(of realtime: Int64, _ sinceBoot: Int64) -> Bool {
        guard (0..<Self.wordHolds).contains(sinceBoot - askedAt) else { return false }
        return abs((realtime - sinceBoot) - (self.realtime - self.sinceBoot)) <= Self.drift
    }
}

/// Somebody set the machine's clock: it went on from another time than it had come to.
public struct ClockStep: Hashable, Sendable {
    /// Where it would have been, milliseconds since 1970.
    public let from: Int64
    /// Where it was instead.
    public let to: Int64

    /// Milliseconds by which it may differ from the oscillator between two readings, whoever steers it: a leap second, a suspend counted in whole
    /// seconds.
    static let least: Int64 = 2000
    /// The part of the time in between by which it may: chrony slews by 8 % at most.
    static let slewed: Int64 = 10

    /// Whether one lies between two readings; nil if not.
    init?(between earlier: ClockSample, and later: ClockSample) {
        let passed = max(0, later.raw - earlier.raw)
        let expected = earlier.realtime + passed
        guard abs(later.realtime - expected) > Self.least + passed / Self.slewed else { return nil }
        from = expected
        to = later.realtime
    }
}

/// Wakes a thread when the wall clock comes to a time, and when somebody sets the clock: whichever is first.
public final class ClockAlarm: Sendable {
    private let timer: FileDescriptor
    private let bell: FileDescriptor
    private let epoll: FileDescriptor
    private let isStopping = Mutex(false)

    public init() throws(SystemError) {
        timer = FileDescriptor(owning: try SystemError.check(clinux_wall_timerfd_create(), "timerfd"))
        bell = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
        epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll_create(), "epoll"))
        for descriptor in [timer, bell] {
            _ = try SystemError.check(clinux_epoll_add(epoll.raw, descriptor.raw, UInt32(CLINUX_READABLE)), "epoll")
        }
    }

    /// Rings at a UNIX second; nil: only when the clock is set. A time that has passed rings with the next second.
    /// - Parameter now: the UNIX second that it is by the clock that the caller goes by, which need not be the machine's.
    public func arm(atSeconds seconds: Int64?, now: Int64) {
        let machine = ClockSample.read(after: nil).realtime.quotientFloor(1000)
        // Without a time one that no clock comes to: what is not armed does not tell that the clock is set either.
        _ = clinux_wall_timerfd_arm(timer.raw, max(seconds.map { $0 - now + machine } ?? Self.never, machine + 1))
    }

    /// The year 2255, which the kernel can still count in nanoseconds.
    private static let never: Int64 = 9_000_000_000

    /// Wakes the thread that waits, or the next that will.
    public func wake() { _ = clinux_eventfd_raise(bell.raw) }

    /// Ends all waiting from now on.
    public func stop() {
        isStopping.withLock { $0 = true }
        wake()
    }

    /// Waits until it rings, somebody wakes it, or so many milliseconds have passed. False once it has been stopped.
    public func wait(atMost milliseconds: Int64, _ loop: Loop) -> Bool {
        let end = MonotonicTime.milliseconds + milliseconds
        var ready = [clinux_ready](repeating: clinux_ready(), count: 2)
        while true {
            let rest = max(0, end - MonotonicTime.milliseconds)
            let count = clinux_epoll_wait(epoll.raw, &ready, Int32(ready.count), loop.patience(atMost: Int32(clamping: rest)))
            loop.comesRound()
            if isStopping.withLock({ $0 }) { return false }
            if count > 0 {
                _ = clinux_timerfd_clear(timer.raw)
                _ = clinux_eventfd_clear(bell.raw)
                return true
            }
            if rest == 0 { return true }
        }
    }
}
