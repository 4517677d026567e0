import CommandLineOptions
import Threads

/// Prints measurements as they come and remembers whether one missed its bar.
final class Report: Sendable {
    private let missed = Mutex<[String]>([])

    /// The names of the measurements that missed their bar.
    var missedBars: [String] { missed.withLock { $0 } }

    /// Prints a measurement.
    func add(_ name: String, _ value: Double, _ unit: String, bar: Double? = nil) {
        let measurement = Measurement(name: name, value: value, unit: unit, bar: bar)
        StandardStream.output.write(line: measurement.line)
        if !measurement.isMet { missed.withLock { $0.append(name) } }
    }

    /// Says on standard error what happens, for whoever waits.
    func note(_ text: String) {
        StandardStream.error.write(line: "bench: \(text)")
    }
}
