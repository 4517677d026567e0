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
        tell(loop.open(at: clock.milliseconds))
        while !desk.isClosed {
            let step = loop.next(at: clock.milliseconds)
            desk.position = loop.position
            if case .wait(let time) = step {
                hear(untilNanoseconds: time.map(clock.nanoseconds))
            } else {
                let result = perform(step)
                tell(loop.took(result, of: step, at: clock.milliseconds))
                // A command is never kept waiting by the chip's rhythm.
                hear(untilNanoseconds: 0)
            }
        }
        device?.close()
    }

    private func hear(untilNanoseconds time: Int64?) {
        guard let order = desk.nextOrder(untilNanoseconds: time) else { return }
        tell(loop.receive(order, at: clock.milliseconds))
    }

    private func tell(_ reports: [ReaderReport]) {
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
