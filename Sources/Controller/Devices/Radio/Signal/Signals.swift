import Glibc
import Threads

/// The ways to ask adapters for the strength of links, opened when first needed. For one thread.
final class Signals {
    private struct Open {
        let port: any SignalPort
        /// Which of the ways it is.
        let way: Int
    }

    /// Of one adapter no more causes are told.
    static let mostNotes = 8

    private let ways: [any SignalWay]
    private let waiting: RadioWaiting
    private let onNote: (RadioNote) -> Void
    private var open: [UInt16: Open] = [:]
    /// What was told already: once for each adapter and cause.
    private var logged: [UInt16: Set<SystemError>] = [:]

    /// - Parameter ways: the better one first.
    init(ways: [any SignalWay], waiting: RadioWaiting, onNote: @escaping (RadioNote) -> Void) {
        self.ways = ways
        self.waiting = waiting
        self.onNote = onNote
    }

    /// Asks for one sample.
    func ask(_ address: DeviceAddress, adapter: UInt16) -> SignalQuestion {
        var fault: StrengthFault?
        for way in ways.indices.dropFirst(open[adapter]?.way ?? 0) {
            do throws(StrengthFault) {
                let port = try port(way, adapter)
                do throws(SystemError) {
                    try port.ask(address)
                    return .asked
                } catch {
                    // There is nothing wrong with the way.
                    if [ENOENT, ENOTCONN].contains(error.number) { return .linkEnded }
                    throw fail(error, adapter)
                }
            } catch {
                fault = fault?.joined(by: error) ?? error
            }
        }
        return .failed(fault ?? .unanswered)
    }

    /// Opens a way before it is needed.
    /// - Returns: why there is none.
    func prepare(_ adapter: UInt16) -> StrengthFault? {
        var fault: StrengthFault?
        for way in ways.indices {
            do throws(StrengthFault) {
                _ = try port(way, adapter)
                return nil
            } catch {
                fault = fault?.joined(by: error) ?? error
            }
        }
        return fault
    }

    /// What has come on that descriptor; nil when it is nobody's.
    func receive(_ descriptor: Int32) -> SignalReception? {
        guard let (adapter, open) = open.first(where: { $0.value.port.descriptor == descriptor }) else { return nil }
        do throws(SystemError) {
            return SignalReception(adapter: adapter, answers: try open.port.receive())
        } catch {
            let fault = fail(error, adapter)
            // The next sample begins with the best way.
            return SignalReception(adapter: adapter, fault: open.way + 1 == ways.count ? fault : nil)
        }
    }

    /// Where answers come.
    var descriptors: [Int32] { open.values.map(\.port.descriptor) }

    func close() { keep([]) }

    /// Closes the ways to all other adapters: they have gone.
    func keep(_ adapters: Set<UInt16>) {
        for adapter in open.keys where !adapters.contains(adapter) { close(adapter) }
        logged = logged.filter { adapters.contains($0.key) }
    }

    /// The strength is known again: what is wrong from now on is news.
    func hasRecovered(_ adapter: UInt16) { logged[adapter] = nil }

    private func port(_ way: Int, _ adapter: UInt16) throws(StrengthFault) -> any SignalPort {
        if let open = open[adapter] { return open.port }
        do throws(SystemError) {
            let port = try ways[way].open(adapter)
            try waiting.add(port.descriptor, RadioWaiting.readable)
            open[adapter] = Open(port: port, way: way)
            return port
        } catch {
            // An adapter that has just gone is no fault of the way.
            if error.number == ENODEV { throw StrengthFault.failed(error.message) }
            guard Self.shortages.contains(error.number) else { throw StrengthFault.noWay(error.message) }
            logFailure(error, adapter)
            throw StrengthFault.failed(error.message)
        }
    }

    /// The process or the machine has too little of something just then. All else is said of the way: no privilege is needed for the
    /// first one, but the family of addresses (EAFNOSUPPORT), which a sandbox or a network namespace takes away.
    private static let shortages: Set<Int32> = [EMFILE, ENFILE, ENOMEM, ENOBUFS]

    /// An open way has failed.
    private func fail(_ error: SystemError, _ adapter: UInt16) -> StrengthFault {
        close(adapter)
        if [EPERM, EACCES].contains(error.number) { return .noWay(error.message) }
        logFailure(error, adapter)
        return .failed(error.message)
    }

    private func close(_ adapter: UInt16) {
        guard let open = open.removeValue(forKey: adapter) else { return }
        waiting.remove(open.port.descriptor)
    }

    private func logFailure(_ error: SystemError, _ adapter: UInt16) {
        guard logged[adapter, default: []].count < Self.mostNotes, logged[adapter, default: []].insert(error).inserted else { return }
        onNote(RadioNote(code: "radio-strength-unasked", message: "hci\(adapter) could not be asked for the strength of a link: \(error.message)"))
    }
}

/// What an adapter has said of the strength of links.
struct SignalReception: Hashable, Sendable {
    /// The kernel's number.
    let adapter: UInt16
    var answers: [SignalAnswer] = []
    /// Why nothing can be asked of it.
    var fault: StrengthFault?
}

/// What came of asking for the strength of a link.
enum SignalQuestion: Hashable, Sendable {
    /// The answer comes later.
    case asked
    /// The link has just ended.
    case linkEnded
    /// It could not be asked.
    case failed(StrengthFault)
}
