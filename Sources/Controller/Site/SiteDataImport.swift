import Service
import Storage
import Threads

/// Puts site data to use on a thread of its own: taps come first, and the memory that it needed is given back.
package enum SiteDataImport {
    /// An import gives way to taps and to every other program, so that it may take long on a busy board.
    package static let call = OutsideCall(
        "an import", .fault(afterMilliseconds: 30 * 60 * 1000), remedy: "`systemctl restart tapstiled` ends it; the data in use stay.")

    package static func run(_ name: String, _ body: @escaping @Sendable () throws(ImportError) -> TrustPublication) throws(ImportError) -> TrustPublication {
        try Loop.outside(call) {
            BackgroundWork.run(name: name) {
                defer { ProcessHeap.trim() }
                return Result { () throws(ImportError) in try body() }
            }
        }.get()
    }
}
