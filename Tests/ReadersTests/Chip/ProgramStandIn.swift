import CLinux
import Encoding
import Files
import Foundation
import Glibc
import ReaderProtocol
import Threads
import Waits

@testable import Readers

/// The program of a PN532, in this process: it keeps to the protocol until a test wants otherwise. The field has a phone in it or has not.
final class ProgramStandIn: Sendable {
    /// What becomes of a command.
    enum Reply: Sendable {
        case answer([UInt8])
        case failed(ExchangeFailure.Cause)
        /// Bytes of a hostile program's.
        case raw([UInt8])
        /// None, for ever.
        case silence
        /// The program dies.
        case death
    }

    /// What it saw.
    enum Event: Sendable, Equatable {
        case connected
        case order(ReaderOrder)
        case disconnected
    }

    /// What a test wants of it.
    struct Requests: Sendable {
        var hasPhone = false
        /// What is in the field instead, a card without ISO-DEP, by its number.
        var uidOnlyCard: [UInt8]?
        /// Why the chip cannot be opened.
        var failure: ChipFailure?
        var isEnded = false
        /// To the next commands; those after them have answers.
        var replies: [Reply] = []
    }

    let path: String
    let events = EventLog<Event>()
    private let requests = Mutex(Requests())
    private let bell: ChipBell
    private let worker = Mutex<Worker?>(nil)

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("nfc-\(UUID().uuidString.prefix(8)).sock").path
        bell = try ChipBell()
    }

    /// Listens, and serves one connection after the other.
    func start() throws {
        let listener = FileDescriptor(owning: try SystemError.check(clinux_unix_socket(Int32(CLINUX_STREAM), 0), "socket"))
        _ = try SystemError.check(clinux_unix_bind(listener.raw, path), "bind \(path)")
        guard listen(listener.raw, 4) == 0 else { throw SystemError("listen", errno) }
        let thread = try Worker(name: "stand-in") { [self] in
            while !requests.withLock(\.isEnded) {
                bell.wait(listener.raw, milliseconds: -1)
                let accepted = clinux_accept(listener.raw)
                if accepted >= 0 { serve(FileDescriptor(owning: accepted)) }
            }
        }
        worker.withLock { $0 = thread }
    }

    func stop() {
        request { $0.isEnded = true }
        reportingWaits { try worker.withLock { $0 }?.waitForEnd() }
        unlink(path)
    }

    /// From now on.
    func request(_ change: (inout Requests) -> Void) {
        requests.withLock { change(&$0) }
        bell.ring()
    }

    /// A phone is in the field from now on, and so becomes of the first commands that are sent to it.
    func present(_ replies: Reply...) {
        request { requests in
            requests.hasPhone = true
            requests.replies += replies
        }
    }

    private func nextReply(to apdu: [UInt8]) -> Reply {
        requests.withLock { $0.replies.isEmpty ? .answer(apdu + [0x90, 0x00]) : $0.replies.removeFirst() }
    }

    private func serve(_ socket: FileDescriptor) {
        events.record(.connected)
        var life = ProgramLife(socket)
        while !requests.withLock(\.isEnded) {
            bell.wait(socket.raw, milliseconds: life.patience)
            guard let orders = life.receive() else { break }
            for order in orders {
                events.record(.order(order))
                life.handle(order, requests.withLock(\.failure), nextReply)
            }
            let (hasPhone, uidOnlyCard) = requests.withLock { ($0.hasPhone, $0.uidOnlyCard) }
            life.look(hasPhone: hasPhone, uidOnlyCard: uidOnlyCard)
            if life.isDead { break }
        }
        events.record(.disconnected)
    }
}

/// One connection's worth of a program.
private struct ProgramLife {
    private enum Stage {
        case waiting, polling(isTold: Bool), serving(UInt32), holding(UInt32)
    }

    private let socket: FileDescriptor
    private var reader = ReaderFrameReader()
    private var piece = [UInt8](repeating: 0, count: 4_096)
    private var stage = Stage.waiting
    private var presentation: UInt32 = 0
    private var cycles: UInt32 = 0
    private var nextBeat = MonotonicTime.milliseconds
    private(set) var isDead = false

    init(_ socket: FileDescriptor) {
        self.socket = socket
    }

    var patience: Int32 { Int32(max(0, nextBeat - MonotonicTime.milliseconds)) }

    /// Nil when the gate has hung up.
    mutating func receive() -> [ReaderOrder]? {
        let count = clinux_receive(socket.raw, &piece, piece.count)
        if count == -Int(EAGAIN) { return [] }
        guard count > 0 else { return nil }
        var (rest, orders) = (piece[..<count], [ReaderOrder]())
        while let frame = try? reader.next(from: &rest) {
            guard case .order(let order) = frame else { return nil }
            orders.append(order)
        }
        return orders
    }

    mutating func handle(_ order: ReaderOrder, _ failure: ChipFailure?, _ reply: ([UInt8]) -> ProgramStandIn.Reply) {
        switch order {
        case .setUp, .reopen: open(failure)
        case .abort: if case .waiting = stage {} else { stage = .polling(isTold: false) }
        case .command(let command): send(reply(command.apdu), to: command)
        case .end(let ended, .holdUntilAway): if ended == presentation { stage = .holding(ended) }
        case .end(let ended, .pollOn): if ended == presentation { stage = .polling(isTold: false) }
        }
    }

    /// What the field shows, and a sign of life.
    mutating func look(hasPhone: Bool, uidOnlyCard: [UInt8]?) {
        switch stage {
        case .polling where hasPhone:
            presentation += 1
            stage = .serving(presentation)
            let card = try? uidOnlyCard.map { (uid) throws(FrameError) in
                try ReportedCard(presentation: presentation, kind: .plain, atqa: 0x44, sak: 0, uid: uid)
            } ?? ReportedCard(presentation: presentation, kind: .isoDEP, atqa: 4, sak: 0x20, uid: [8, 1, 2, 3])
            if let card { send(.card(card)) }
        case .polling(isTold: false) where !hasPhone, .holding where !hasPhone:
            stage = .polling(isTold: true)
            send(.empty)
        case .waiting, .polling, .serving, .holding: break
        }
        beat()
    }

    private mutating func open(_ failure: ChipFailure?) {
        send(.state(.opening))
        if let failure {
            stage = .waiting
            send(.state(.failed(failure)))
        } else {
            stage = .polling(isTold: false)
            send(.state(.open(ChipFirmware("PN532 v1.6"))))
        }
    }

    private mutating func send(_ reply: ProgramStandIn.Reply, to command: ReaderCommand) {
        switch reply {
        case .answer(let apdu):
            if let answer = try? ReaderAnswer(presentation: command.presentation, apdu: apdu) { send(.answer(answer)) }
        case .failed(let cause): send(.failed(ExchangeFailure(presentation: command.presentation, cause: cause, number: -20)))
        case .raw(let bytes): send(bytes)
        case .silence: break
        case .death: isDead = true
        }
    }

    private mutating func beat() {
        guard MonotonicTime.milliseconds >= nextBeat else { return }
        nextBeat = MonotonicTime.milliseconds + ReaderBeat.everyMilliseconds
        cycles += 1
        let phase: ReaderPhase = switch stage {
        case .waiting, .serving: .idle
        case .polling: .polling
        case .holding: .holding
        }
        send(.beat(ReaderBeat(phase: phase, milliseconds: 0, cycles: cycles, faults: 0)))
    }

    private func send(_ report: ReaderReport) { send(ReaderFrame.report(report).bytes) }

    private func send(_ bytes: [UInt8]) { _ = clinux_send(socket.raw, bytes, bytes.count) }
}
