import Service
import Threads

/// A part of the gate that runs from its start to its stop. The gate is an ordered list of these.
struct GateService {
    /// For the log and systemd's status: `readers`.
    let name: String
    /// Begins. What stands before it in the list runs by now.
    let start: () throws(StartError) -> Void
    /// Comes to rest, at once: what may take its time waits for `end`. Does no harm before the start.
    let rest: () -> Void
    /// Ends what may take its time: every line is at its safe level by now.
    let end: () -> Void

    init(_ name: String, start: @escaping () throws(StartError) -> Void = {}, rest: @escaping () -> Void = {}, end: @escaping () -> Void = {}) {
        self.name = name
        self.start = start
        self.rest = rest
        self.end = end
    }
}

/// Starts the services of a gate in their order, and stops them in reverse, in two rounds: first each comes to rest, so that no slow disk and
/// no slow client keeps a relay energised; then each ends.
struct ServiceList {
    let services: [GateService]
    let log: Log

    /// A step that takes longer is told: milliseconds.
    private static let slow: Int64 = 1000

    /// Starts each. Where one does not start, all are stopped again.
    func start() throws(StartError) {
        for service in services {
            do throws(StartError) {
                try service.start()
            } catch {
                log.error("service-not-started: \(service.name): \(error.code): \(error.message)")
                stop()
                throw error
            }
        }
    }

    /// Stops each.
    /// - Parameter notify: is told what is waited for, so that whoever wonders why a gate does not stop finds the name.
    func stop(notify: (String) -> Void = { _ in }) {
        for service in services.reversed() { step("\(service.name) comes to rest", service, notify, service.rest) }
        for service in services.reversed() { step("\(service.name) ends", service, notify, service.end) }
    }

    private func step(_ step: String, _ service: GateService, _ notify: (String) -> Void, _ body: () -> Void) {
        notify(step)
        let began = MonotonicTime.milliseconds
        body()
        let took = MonotonicTime.milliseconds - began
        if took > Self.slow { log.warning("service-slow: \(service.name) took \(took) ms for its stop") }
    }
}
