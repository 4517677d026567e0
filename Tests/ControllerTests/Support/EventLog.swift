import ControlProtocol
import Foundation

/// Every event of a gate, in order; a test can wait for one.
final class EventLog: @unchecked Sendable { // the events are touched under the condition's lock only
    private let condition = NSCondition()
    private var events: [GateEvent] = []

    func add(_ event: GateEvent) {
        condition.lock()
        events.append(event)
        condition.broadcast()
        condition.unlock()
    }

    var all: [GateEvent] {
        condition.lock()
        defer { condition.unlock() }
        return events
    }

    /// Waits until that many presentations have ended and answers their true reasons.
    func reasons(atLeast count: Int) -> [String] {
        condition.lock()
        defer { condition.unlock() }
        while Self.reasons(in: events).count < count { condition.wait() }
        return Self.reasons(in: events)
    }

    /// Waits until the newest event about a lane's faults fits, and answers them.
    func faults(_ fit: ([String]) -> Bool) -> [String] {
        condition.lock()
        defer { condition.unlock() }
        while true {
            let newest = events.last { $0.kind == .lane }?.fields["faults"]?.array?.compactMap(\.string)
            if let newest, fit(newest) { return newest }
            condition.wait()
        }
    }

    /// Waits until a reader has been told to be in that state so often.
    func reader(_ name: String, is state: String, times: Int = 1) {
        condition.lock()
        defer { condition.unlock() }
        while events.count(where: { $0.kind == .reader && $0.fields["reader"]?.string == name && $0.fields["state"]?.string == state }) < times {
            condition.wait()
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
