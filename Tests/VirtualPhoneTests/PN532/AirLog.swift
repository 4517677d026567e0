import Threads
import Waits

@testable import VirtualPhone

/// What was on the air, and what happened to the phone.
final class AirLog: Sendable {
    private let state = Monitor(State())

    private struct State {
        var records: [AirRecord] = []
        var events: [CardEvent] = []
    }

    @Sendable func add(_ record: AirRecord) { state.change { $0.records.append(record) } }
    @Sendable func add(_ event: CardEvent) { state.change { $0.events.append(event) } }

    var records: [AirRecord] { state.withLock { $0.records } }
    var events: [CardEvent] { state.withLock { $0.events } }

    /// Until the phone was asked something.
    func waitForCommand() throws {
        try state.wait(for: "a command at the phone") { state in
            state.events.contains { if case .command = $0 { true } else { false } } ? () : nil
        }
    }

    /// Frames of the reader's that begin with this byte.
    func sent(_ first: UInt8) -> [AirFrame] {
        records.compactMap(\.sent).filter { $0.bytes.first == first }
    }
}

extension AirRecord {
    /// The reader's frame; nil for all else.
    var sent: AirFrame? { if case .sent(let frame) = event { frame } else { nil } }
}
