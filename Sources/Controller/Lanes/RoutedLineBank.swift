import CLinux
import Files
import Lines
import Threads

/// The lines of a gate that come from more than one bank: real chips, and the simulated one where
/// the configuration says so. Each line goes to the bank that it was requested from.
package final class RoutedLineBank: LineBank {
    private let banks: [any LineBank]
    private let routes: [LineName: any LineBank]
    /// Tells of the inputs of all banks.
    private let epoll: FileDescriptor?

    /// Lines by the bank they belong to.
    package init(_ parts: [(bank: any LineBank, lines: [LineName])]) {
        banks = parts.map(\.bank)
        var routes: [LineName: any LineBank] = [:]
        for part in parts {
            for line in part.lines { routes[line] = part.bank }
        }
        self.routes = routes
        let descriptors = banks.compactMap(\.inputDescriptor)
        epoll = descriptors.isEmpty ? nil : (try? SystemError.check(clinux_epoll_create(), "epoll")).map { FileDescriptor(owning: $0) }
        if let epoll { for descriptor in descriptors { _ = clinux_epoll_add(epoll.raw, descriptor, UInt32(CLINUX_READABLE)) } }
    }

    package var inputDescriptor: Int32? { epoll?.raw }

    package func drainInputEvents() -> [LineEvent] {
        banks.flatMap { $0.drainInputEvents() }
    }

    /// The simulated one among them.
    package var simulatedPart: SimulatedLineBank? { banks.lazy.compactMap { $0 as? SimulatedLineBank }.first }

    package var faults: [LineName: LineError] {
        banks.reduce(into: [:]) { faults, bank in faults.merge(bank.faults) { first, _ in first } }
    }

    package var foundActive: Set<LineName> {
        banks.reduce(into: []) { $0.formUnion($1.foundActive) }
    }

    package func set(_ line: LineName, active: Bool) throws(LineError) {
        try bank(of: line).set(line, active: active)
    }

    package func read(_ line: LineName) throws(LineError) -> Bool {
        try bank(of: line).read(line)
    }

    package func readBack(_ line: LineName) throws(LineError) -> Bool {
        try bank(of: line).readBack(line)
    }

    @discardableResult
    package func reopen() -> [LineName] {
        banks.flatMap { $0.reopen() }
    }

    package func release() {
        for bank in banks { bank.release() }
    }

    private func bank(of line: LineName) throws(LineError) -> any LineBank {
        guard let bank = routes[line] else { throw .unknown(name: line) }
        return bank
    }
}
