import CommandLineOptions
import Threads

/// Prints measurements as they come and remembers whether one missed its bar.
final class Report: Sendable {
    /// How much is measured. In a short run bars are not judged, nor told.
    let extent: Extent
    private let missed = Mutex<[String]>([])

    init(_ extent: Extent = .whole) { self.extent = extent }

    /// The names of the measurements that missed their bar.
    var missedBars: [String] { missed.withLock { $0 } }

    /// Prints a measurement.
    func add(_ name: String, _ value: Double, _ unit: String, bar: Double? = nil) {
        let measurement = Measurement(name: name, value: value, unit: unit, bar: extent.of(bar, short: nil))
        StandardStream.output.write(line: measurement.line)
        if !measurement.isMet { missed.withLock { $0.append(name) } }
    }

    /// Says on standard error what happens, for whoever waits.
    func note(_ text: String) {
        StandardStream.error.write(line: "bench: \(text)")
    }
}
