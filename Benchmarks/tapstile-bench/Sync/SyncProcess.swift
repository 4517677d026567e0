import CommandLineOptions
import Files
import Glibc
import Service
import Storage

/// Applies the bundles in a process of its own, for the memory that it takes.
enum SyncProcess {
    /// Prints VmHWM after the whole, and after the changes, in MiB.
    static func run(state: String, bundles folder: String) throws {
        let bundles = BundleFiles(folder: folder)
        let facts = ProcessFacts(identifier: getpid())
        let store = try TrustStore.open(directory: state)
        let (full, changed, part) = (try bundles.open("full"), try bundles.open("changes"), try bundles.open("site"))
        _ = try store.apply(full: full, changes: nil, site: part, try bundles.update(version: 1), clock: SyncBenchmark.clock)
        let whole = facts.peak
        store.close()
        let again = try TrustStore.open(directory: state)
        _ = try again.apply(changes: changed, site: nil, try bundles.update(version: 2), clock: SyncBenchmark.clock)
        StandardStream.output.write(line: "\(whole) \(facts.peak)")
    }

    /// Reads what it printed.
    static func read(_ path: String) throws -> (Double, Double) {
        let numbers = String(decoding: try SmallFile.read(path), as: UTF8.self).split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
        guard numbers.count == 2 else { throw BenchError("the process that applied the bundles said nothing") }
        return (numbers[0], numbers[1])
    }
}
