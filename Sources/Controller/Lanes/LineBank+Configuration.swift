import Configuration
import Lines

extension RoutedLineBank {
    /// Requests every line of a configuration, outputs at their safe level (L6). Lines that cannot
    /// be had are in `faults`; the others work.
    package static func open(_ configuration: GateConfiguration) -> RoutedLineBank {
        open(LineRequest.all(of: configuration))
    }

    /// The same for lines that are known without a configuration.
    /// - Parameter looking: what was on the lines before is looked at, for `foundActive`.
    package static func open(_ requests: [LineRequest], looking: Bool = true) -> RoutedLineBank {
        let simulated = requests.filter { $0.chip == OutputSettings.simulatedChip }
        let real = requests.filter { $0.chip != OutputSettings.simulatedChip }
        var parts: [(bank: any LineBank, lines: [LineName])] = []
        if !simulated.isEmpty { parts.append((SimulatedLineBank(simulated), simulated.map(\.name))) }
        if !real.isEmpty { parts.append((GPIOLineBank(real, looking: looking), real.map(\.name))) }
        return RoutedLineBank(parts)
    }
}
