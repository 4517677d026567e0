import ReaderProtocol
import Readers
import Threads
import Waits

/// A gate with one reader, a PN532, whose presentations send one command each, with everything that it tells.
final class GateBench: Sendable {
    enum Event: Equatable {
        case state(String)
        case note(String)
        case answered([UInt8])
        case broken(String)
        case uidOnlyCard([UInt8])
    }

    static let command: [UInt8] = [0x00, 0xA4, 0x04, 0x00]
    static let answered = Event.answered(command + [0x90, 0x00])

    private static let name: ReaderName = "exit"
    private let log: Monitor<[Event]>
    private let readers: GateReaders

    /// A gate whose reader works.
    /// - Parameters:
    ///   - socket: of the program.
    ///   - path: of the chip's port.
    init(_ socket: String, _ path: String, resetLine: (any ResetLine)? = nil) throws {
        let log = Monitor<[Event]>([])
        self.log = log
        let setup = try ReaderSetup(
            device: "pn532_uart:\(path):115200", wakeUpFrame: ChipBench.wakeUp, cycleMilliseconds: 50, exchangeMilliseconds: 1_600,
            reportsUIDOnlyCards: true)
        readers = try GateReaders(
            pcsc: [], chips: [ChipReaderBinding(name: Self.name, socket: socket, setup: setup, resetLine: resetLine)],
            onPresentation: { _, link in
                let (disposition, event) = Self.converse(link)
                log.change { $0.append(event) }
                return disposition
            },
            onUIDOnlyCard: { _, number in
                log.change { $0.append(.uidOnlyCard(number)) }
                return .done
            },
            onChange: { _, state in log.change { $0.append(.state(state.code)) } },
            onNote: { _, note in log.change { $0.append(.note(note.code)) } })
        try readers.start()
        try wait(.state("reader-ready"))
    }

    deinit { readers.stop() }

    private static func converse(_ link: any Link) -> (PresentationDisposition, Event) {
        do throws(LinkError) {
            return (.done, .answered(try link.transmit(command)))
        } catch {
            return (.interrupted, .broken(error.code))
        }
    }

    var state: ReaderState? { readers.state(of: Self.name) }
    var recovery: RecoveryCounts { readers.recovery(of: Self.name) ?? RecoveryCounts() }

    /// Until that is told, and everything that was told up to it.
    @discardableResult
    func wait(_ event: Event, fileID: String = #fileID, line: Int = #line) throws -> [Event] {
        try log.wait(for: "\(event)", fileID: fileID, line: line) { events in
            guard let index = events.firstIndex(of: event) else { return nil }
            defer { events.removeSubrange(...index) }
            return Array(events[...index])
        }
    }
}
