import CLinux
import Glibc
import Threads

/// A PN532 at a serial port that exists in this machine only. Programs open `path` (or `link`) as they would open the port of a
/// real one; phones are put onto its antenna and taken away.
public final class VirtualPN532: Sendable {
    /// Called for everything on the air, in its order, on the chip's own thread. Must return soon.
    public typealias OnAir = @Sendable (AirRecord) -> Void
    /// Called for what the reader does to the phone, likewise. It must not wait for this object.
    public typealias OnCard = @Sendable (CardEvent) -> Void

    private let life: PN532Life
    private let thread: Worker

    /// - Parameters:
    ///   - link: a symbolic link that points to the port as long as it is there.
    ///   - timing: how long bytes take.
    ///   - timeScale: the chip's clock goes so many times as fast as the machine's.
    public init(
        link: String? = nil, timing: PN532Timing = .none, timeScale: Int = 1, onAir: @escaping OnAir = { _ in },
        onCard: @escaping OnCard = { _ in }
    ) throws(SystemError) {
        let life = try PN532Life(
            link: link, chip: PN532Chip(timing: timing), clock: ScaledClock(scale: timeScale),
            listeners: PN532Listeners(onAir: onAir, onCard: onCard))
        self.life = life
        thread = try Worker(name: "virtual-pn532", stackBytes: Self.stackBytes) { life.run() }
    }

    /// The phone's handler runs on this thread, libcrypto included.
    private static let stackBytes = 1 << 20

    deinit {
        life.stop()
        thread.join()
    }

    /// Where programs find the port now; nil while it is away.
    public var path: String? { life.path }

    /// Now, by the chip's clock, as in the records of what is on the air.
    public var time: Int64 { life.time }

    /// Puts a phone into the field; one that is there is taken away first.
    public func present(_ phone: AirPhone) { life.change { $0.air.present(phone) } }

    /// Takes the phone away.
    public func remove() { life.change { $0.air.remove() } }

    /// True while a phone is in the field.
    public var hasPhone: Bool { life.look { $0.air.phone != nil } }

    /// True while the antenna is on.
    public var isFieldOn: Bool { life.look { $0.air.isFieldOn } }

    /// Goes wrong from now on, in addition to what was asked before.
    public func misbehave(_ misbehaviour: PN532Misbehaviour) { life.change { $0.misbehaviours.append(misbehaviour) } }

    /// Works well from now on.
    public func behave() { life.change { $0.behave() } }

    /// Pulls the reset line: the chip begins anew, with the phone that is in its field and with its faults.
    public func reset() { life.change { $0.reset() } }

    /// The port goes away, as a USB adapter does that is unplugged. The chip loses its power.
    public func unplug() { life.unplug() }

    /// The port is there again, under another path, and the chip begins anew.
    public func plugIn() throws(SystemError) { try life.plugIn() }
}

/// A clock that goes a whole number of times as fast as the machine's, from zero on.
struct ScaledClock: Sendable {
    private let scale: Int64
    private let start = MonotonicTime.nanoseconds

    init(scale: Int) { self.scale = Int64(max(1, scale)) }

    /// Nanoseconds.
    var now: Int64 { (MonotonicTime.nanoseconds - start) * scale }

    /// The machine's monotonic time at which this clock shows that one.
    func machineTime(of time: Int64) -> Int64 { start + (time + scale - 1) / scale }
}
