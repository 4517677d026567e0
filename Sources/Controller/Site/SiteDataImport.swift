import Service
import Storage
import Threads

/// Reads site data, or puts them to use, on a thread of its own: taps come first, and the memory that it needed is given back.
package enum SiteDataImport {
    /// An import gives way to taps and to every other program, so that it may take long on a busy board.
    private static let call = OutsideCall(
        "an import", .fault(afterMilliseconds: 30 * 60 * 1000), remedy: "`systemctl restart tapstiled` ends it; the data in use stay.")

    package static func run<Value: Sendable, Failure: Error>(
        _ name: String, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try Loop.outside(call) {
            BackgroundWork.run(name: name) {
                defer { ProcessHeap.trim() }
                return Result { () throws(Failure) in try body() }
            }
        }.get()
    }
}
