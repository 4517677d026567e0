import ReaderProtocol
import Threads
import Waits

@testable import Readers

/// A gate's readers of which one is a PN532 whose program is a stand-in, with everything that they tell.
final class ChipReaderBench: Sendable {
    typealias Event = ReaderBench.Event

    let events = EventLog<Event>()
    let program: ProgramStandIn
    let readers: GateReaders
    /// The links that were given out.
    let links = EventLog<Given>()

    struct Given: Sendable {
        let link: any Link
    }

    init(
        resetLine: (any ResetLine)? = nil, port: (any ReaderPort)? = nil,
        conversation: @escaping ReaderBench.Conversation = { _, link in ChipReaderBench.ask(link) }
    ) throws {
        let (events, links) = (self.events, self.links)
        program = try ProgramStandIn()
        let setup = try ReaderSetup(device: "d", wakeUpFrame: [], cycleMilliseconds: 200, exchangeMilliseconds: 1_600, reportsUIDOnlyCards: true)
        readers = try GateReaders(
            pcsc: [], chips: [ChipReaderBinding(name: "exit", socket: program.path, setup: setup, resetLine: resetLine, port: port)],
            onPresentation: { name, link in
                events.record(.began(name))
                links.record(Given(link: link))
                let (disposition, results) = conversation(name, link)
                events.record(.ended(name, results))
                return disposition
            },
            onUIDOnlyCard: { name, number in
                events.record(.uidOnlyCard(name, number))
                return .done
            },
            onChange: { events.record(.state($0, $1.code)) },
            onNote: { events.record(.note($1.code)) })
    }

    /// A conversation of one command.
    static func ask(_ link: any Link) -> (PresentationDisposition, [Result<[UInt8], LinkError>]) {
        let result = ReaderBench.send([0x00, 0xA4, 0x04, 0x00], over: link)
        return switch result {
        case .success: (.done, [result])
        case .failure: (.interrupted, [result])
        }
    }

    /// The end of a conversation that broke off, with the code of the link and that of what stood in the way.
    func nextBreak() async throws -> [String] {
        let event = try await events.next("a conversation that breaks off") { event in
            if case .ended(_, let results) = event, case .failure? = results.first { true } else { false }
        }
        guard case .ended(_, let results) = event, case .failure(let error)? = results.first else { return [] }
        return switch error {
        case .timedOut: [error.code]
        case .cardGone(let fault), .readerGone(let fault), .serviceGone(let fault), .failed(let fault): [error.code, fault.code]
        }
    }

    /// Runs a test with the reader in service.
    func run(_ test: () async throws -> Void) async throws {
        try program.start()
        try readers.start()
        defer { stop() }
        try await events.next(.state("exit", "reader-ready"))
        try await test()
    }

    func stop() {
        readers.stop()
        program.stop()
    }

    /// The field stays empty for as long as counts as having been away (T9).
    func removePhone() async throws {
        program.request { $0.hasPhone = false }
        try await events.next(.state("exit", "reader-ready"))
        try await letTimePass(.milliseconds(PresenceRule.awayMilliseconds), because: "so long must a phone be away (T9)")
    }
}
