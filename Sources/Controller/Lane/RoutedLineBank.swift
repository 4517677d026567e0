import Lines

/// The lines of a gate that come from more than one bank: real chips, and the simulated one where
/// the configuration says so. Each line goes to the bank that it was requested from.
final class RoutedLineBank: LineBank {
    private let banks: [any LineBank]
    private let routes: [LineName: any LineBank]

    /// Lines by the bank they belong to.
    init(_ parts: [(bank: any LineBank, lines: [LineName])]) {
        banks = parts.map(\.bank)
        var routes: [LineName: any LineBank] = [:]
        for part in parts {
            for line in part.lines { routes[line] = part.bank }
        }
        self.routes = routes
    }

    var faults: [LineName: LineError] {
        banks.reduce(into: [:]) { faults, bank in faults.merge(bank.faults) { first, _ in first } }
    }

    var foundActive: Set<LineName> {
        banks.reduce(into: []) { $0.formUnion($1.foundActive) }
    }

    func set(_ line: LineName, active: Bool) throws(LineError) {
        try bank(of: line).set(line, active: active)
    }

    func read(_ line: LineName) throws(LineError) -> Bool {
        try bank(of: line).read(line)
    }

    @discardableResult
    func reopen() -> [LineName] {
        banks.flatMap { $0.reopen() }
    }

    func release() {
        for bank in banks { bank.release() }
    }

    private func bank(of line: LineName) throws(LineError) -> any LineBank {
        guard let bank = routes[line] else { throw .unknown(name: line) }
        return bank
    }
}
