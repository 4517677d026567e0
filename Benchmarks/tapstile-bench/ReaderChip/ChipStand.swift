import Readers
import ReaderProtocol
import Threads
import VirtualPhone

/// A PN532 of a gate: a virtual chip in this process, the program that drives it in another, and the gate's own thread for it. Whoever is
/// in the field is served by the real controller, at one lane after the other.
final class ChipStand: Sendable {
    static let name = "chip"
    /// What `top -H` calls the gate's thread.
    static let thread = "nfc-\(name)"
    /// From one poll to the next, as gates do it.
    static let cycleMilliseconds: UInt16 = 200

    let chip: VirtualPN532
    let air = AirLog()
    let phone: TapRecorder
    let state = Monitor(State())
    private let gate: InProcessGate
    private let bare: (chip: BareChip, phone: Replay)?
    private let readers: Mutex<GateReaders?>

    struct State: Sendable {
        /// What the reader is good for.
        var reader: ReaderState?
        /// Presentations since this was asked last, and those of them that opened the gate.
        var taps: [ChipTap] = []
        var refused = 0
        /// Phones that wait for their turn, the next one last; where none does, the latest comes again.
        var queue: [PhoneCard] = []
        fileprivate var latest: PhoneCard?
    }

    /// - Parameter comparing: each tap is followed by the same commands without a gate.
    init(_ gate: InProcessGate, timing: PN532Timing, folder: String, comparing: Bool = false) throws {
        self.gate = gate
        bare = try comparing ? Self.bare(timing, folder) : nil
        phone = TapRecorder(gate.byValue[0])
        chip = try VirtualPN532(link: "\(folder)/pn532", timing: timing, onAir: air.add)
        readers = Mutex(nil)
    }

    private static func bare(_ timing: PN532Timing, _ folder: String) throws -> (chip: BareChip, phone: Replay) {
        let replay = Replay()
        return (try BareChip(link: "\(folder)/bare", timing: timing, phone: AirPhone(measuring: { replay.receive($0) })), replay)
    }

    /// Puts it into service and waits until it is.
    func start(socket: String, device: String) throws {
        let setup = try ReaderSetup(
            device: "pn532_uart:\(device):115200", wakeUpFrame: Self.announcement, cycleMilliseconds: Self.cycleMilliseconds, exchangeMilliseconds: 1_600)
        let started = try GateReaders(
            pcsc: [], chips: [ChipReaderBinding(name: Self.name, socket: socket, setup: setup)],
            onPresentation: { [self] _, link in present(link) },
            onChange: { [state] _, now in state.change { $0.reader = now } })
        try started.start()
        readers.withLock { $0 = started }
        try waitUntilReady()
    }

    func stop() {
        let started = readers.withLock { readers in
            defer { readers = nil }
            return readers
        }
        started?.stop()
    }

    /// Enhanced Contactless Polling, with a group of readers.
    static let announcement: [UInt8] = [
        0x6A, 0x02, 0xCB, 0x02, 0x06, 0x20, 0x42, 0x20, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77
    ]

    // Phones ------------------------------------------------------------------------------------

    /// A phone comes to the chip, and answers with what `phone` is told to be.
    /// - Parameter asked: called before each answer.
    func present(asked: @escaping @Sendable () -> Void = {}) {
        chip.present(AirPhone(measuring: { [phone] command in
            asked()
            return phone.receive(command)
        }))
    }

    private func present(_ link: any Link) -> PresentationDisposition {
        let (card, isLast) = state.withLock { state in
            let card = state.queue.popLast() ?? state.latest ?? gate.byValue[0]
            state.latest = card
            return (card, state.queue.isEmpty)
        }
        phone.start(card)
        guard let lane = try? BenchSite.reader(gate.nextLane()) else {
            state.change { $0.refused += 1 }
            return .done
        }
        gate.watch.begin()
        let (start, began) = (Clock.now, chip.time)
        let disposition = gate.controller.present(link, at: lane)
        let ended = chip.time
        let (steps, frames) = (phone.steps, Array(air.sinceFieldOn))
        let tap = gate.watch.result.map { result in
            ChipTap(began: began, ended: ended, relay: result.relayAt - start, waited: result.waited, bare: repeated(steps), steps: steps, air: frames)
        }
        state.change { state in
            if let tap { state.taps.append(tap) } else { state.refused += 1 }
        }
        return isLast || tap == nil ? disposition : .again(afterMilliseconds: 0)
    }

    /// The same commands by libnfc alone, on the same thread, to a phone that gives the same answers and takes as long.
    private func repeated(_ steps: [TapRecorder.Step]) -> [Int64]? {
        bare?.phone.load(steps)
        return bare?.chip.send(steps)
    }

    // Waiting -----------------------------------------------------------------------------------

    /// So long does nothing take that works.
    private static let patience: Int64 = 60_000_000_000

    func wait<Result>(_ what: String, _ body: (inout State) -> Result?) throws(BenchError) -> Result {
        guard let result = state.wait(untilNanoseconds: Clock.now + Self.patience, body) else {
            throw BenchError("a PN532 was waited for in vain: \(what); it is \(String(describing: state.withLock { $0.reader }))")
        }
        return result
    }

    /// In service, with nobody in the field.
    func waitUntilReady() throws(BenchError) {
        try wait("in service") { $0.reader == .ready ? () : nil }
    }

    /// The field is empty, and was for so long that the next phone is another one.
    func clear() throws(BenchError) {
        chip.remove()
        try waitUntilReady()
        Clock.pause(milliseconds: 350)
    }
}
