import ControlProtocol
import Threads
import Waits

/// Every event of a gate, in order; a test can wait for one.
final class EventLog: Sendable {
    private let events = Monitor<[GateEvent]>([])

    func add(_ event: GateEvent) { events.change { $0.append(event) } }

    var all: [GateEvent] { events.withLock { $0 } }

    /// Waits until that many presentations have ended and answers their true reasons.
    func reasons(atLeast count: Int, fileID: String = #fileID, line: Int = #line) throws -> [String] {
        try events.wait(for: "the end of \(count) presentations", fileID: fileID, line: line) { events in
            let reasons = Self.reasons(in: events)
            return reasons.count >= count ? reasons : nil
        }
    }

    /// Waits until the newest event about a lane's faults fits, and answers them.
    func faults(fileID: String = #fileID, line: Int = #line, _ fit: ([String]) -> Bool) throws -> [String] {
        try events.wait(for: "other faults of a lane", fileID: fileID, line: line) { events in
            let newest = events.last { $0.kind == .lane }?.fields["faults"]?.array?.compactMap(\.string)
            return newest.flatMap { fit($0) ? $0 : nil }
        }
    }

    /// Waits until a reader has been told to be in that state so often.
    func reader(_ name: String, is state: String, times: Int = 1, fileID: String = #fileID, line: Int = #line) throws {
        try events.wait(for: "\(state) of the reader \(name), \(times) times", fileID: fileID, line: line) { events in
            let count = events.count { event in
                event.kind == .reader && event.fields["reader"]?.string == name && event.fields["state"]?.string == state
            }
            return count >= times ? () : nil
        }
    }

    /// How the relay moved.
    var relays: [Bool] { all.filter { $0.kind == .relay }.compactMap { $0.fields["energised"]?.bool } }

    /// The true reasons, in order.
    var reasons: [String] { Self.reasons(in: all) }

    private static func reasons(in events: [GateEvent]) -> [String] {
        events.filter { $0.kind == .result }.compactMap { $0.fields["reason"]?.string }
    }
}
