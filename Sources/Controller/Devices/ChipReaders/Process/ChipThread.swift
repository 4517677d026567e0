import ReaderProtocol
import Threads

/// The thread of the chip: it alone calls libnfc, and may hang there for as long as the chip pleases. `PollingLoop` says what to do.
final class ChipThread {
    private let desk: ChipDesk
    private let socket: ReportSocket
    private let clock: ChipClock
    private var loop: PollingLoop
    private let name: String
    private var device: ChipDevice?

    /// Until the connection has ended.
    static func run(_ desk: ChipDesk, _ socket: ReportSocket, _ clock: ChipClock) {
        guard case .setUp(let setup)? = desk.nextOrder(untilNanoseconds: nil) else { return }
        ChipThread(setup, desk, socket, clock).run()
    }

    private init(_ setup: ReaderSetup, _ desk: ChipDesk, _ socket: ReportSocket, _ clock: ChipClock) {
        (self.desk, self.socket, self.clock, name) = (desk, socket, clock, setup.device)
        loop = PollingLoop(setup)
    }

    private func run() {
        send(loop.open(at: clock.milliseconds))
        while !desk.isClosed {
            let step = loop.next(at: clock.milliseconds)
            desk.position = loop.position
            if case .wait(let time) = step {
                receive(untilNanoseconds: time.map(clock.nanoseconds))
            } else {
                let result = perform(step)
                send(loop.handle(result, of: step, at: clock.milliseconds))
                // A command is never kept waiting by the chip's rhythm.
                receive(untilNanoseconds: 0)
            }
        }
        device?.close()
    }

    private func receive(untilNanoseconds time: Int64?) {
        guard let order = desk.nextOrder(untilNanoseconds: time) else { return }
        send(loop.receive(order, at: clock.milliseconds))
    }

    private func send(_ reports: [ReaderReport]) {
        for report in reports { socket.send(report) }
    }

    private func perform(_ step: PollingStep) -> PollingResult {
        do throws(ChipError) {
            if step == .open { return .opened(try open()) }
            guard let device else { return .failed(.portGone) }
            return try perform(step, device)
        } catch {
            return .failed(device?.isGone == true ? .portGone : error)
        }
    }

    private func open() throws(ChipError) -> ChipFirmware {
        device?.close()
        // The lock goes with it.
        device = nil
        guard let port = ChipPort(name) else { throw .notOpened(.deviceUnknown) }
        let opened = try ChipDevice(port, abort: desk.abort)
        device = opened
        return opened.firmware
    }

    private func perform(_ step: PollingStep, _ device: ChipDevice) throws(ChipError) -> PollingResult {
        switch step {
        case .wait, .open: break
        case .field(let isOn): try device.setField(isOn)
        case .patience(let patience): try device.setPatience(patience)
        case .wholeFrames: try device.setWholeFrames()
        case .announce(let frame): try device.announce(frame)
        case .agree(let rate): try device.agree(on: rate)
        case .find: return .found(try device.find())
        case .exchange(let command, let patience): return .replied(try device.exchange(command, patience: patience))
        case .ask: return .isThere(try device.isPhoneThere())
        }
        return .done
    }
}

/// The clock by which a chip is driven: the machine's, or one that goes a whole number of times as fast, for a chip whose own clock does
/// so too. A day of polling then takes minutes.
public struct ChipClock: Sendable {
    /// The machine's monotonic clock.
    public static let machine = ChipClock(scale: 1, origin: 0)

    private let scale: Int64
    /// When both clocks showed the same, in nanoseconds.
    private let origin: Int64

    /// One that goes so many times as fast from now on.
    public init(scale: Int) {
        self.init(scale: Int64(max(1, scale)), origin: MonotonicTime.nanoseconds)
    }

    private init(scale: Int64, origin: Int64) {
        (self.scale, self.origin) = (scale, origin)
    }

    /// Now.
    var milliseconds: Int64 { (origin + (MonotonicTime.nanoseconds - origin) * scale) / 1_000_000 }

    /// The machine's monotonic time at which this clock shows that one.
    func nanoseconds(atMilliseconds milliseconds: Int64) -> Int64 {
        origin + (MonotonicTime.nanoseconds(atMilliseconds: milliseconds) - origin + scale - 1) / scale
    }
}

/// What the two threads of the program leave for each other: the gate's orders for the one, where the chip is for the other.
///
/// `state` guards it, and nothing is called under it.
final class ChipDesk: Sendable {
    private struct State {
        var orders: [ReaderOrder] = []
        var position = PollingPosition()
        var isClosed = false
    }

    /// The gate says one thing after the other. Whoever says so many that nobody has heard does not keep to the protocol.
    static let mostOrders = 8

    private let state = Monitor(State())
    let abort = ChipAbort()

    /// False when too many are waiting.
    func leave(_ order: ReaderOrder) -> Bool {
        if order == .abort { abort.raise() }
        return state.change { state in
            guard state.orders.count < Self.mostOrders else { return false }
            state.orders.append(order)
            return true
        }
    }

    /// The next order, at that monotonic time in nanoseconds at the latest; a time that has come asks only. Nil: none, or there will be none
    /// any more.
    func nextOrder(untilNanoseconds time: Int64?) -> ReaderOrder? {
        func look(_ state: inout State) -> ReaderOrder?? {
            if !state.orders.isEmpty { return .some(state.orders.removeFirst()) }
            return state.isClosed ? .some(nil) : nil
        }
        guard let time else { return state.wait(look) }
        return state.wait(untilNanoseconds: time, look) ?? nil
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// The connection has ended.
    func close() { state.change { $0.isClosed = true } }

    /// Where the chip's thread is.
    var position: PollingPosition {
        get { state.withLock(\.position) }
        set { state.withLock { $0.position = newValue } }
    }
}
