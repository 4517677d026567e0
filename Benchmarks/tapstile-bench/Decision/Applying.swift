import BroughtFolder
import Controller
import Service
import Threads

/// Site data being applied on a thread of their own, as the control socket does it.
final class Applying: Sendable {
    /// How it went; nil as long as it goes on.
    private final class Ending: Sendable {
        let result = Mutex<Result<Double, BenchError>?>(nil)
    }

    private let ending = Ending()
    private let worker: Worker

    /// Begins with a folder that somebody brings.
    convenience init(controller: Controller, folder: String) throws {
        try self.init { () throws(BenchError) in
            do {
                try BroughtFolder.bring(folder, to: controller, limit: Patience.whole / 1_000_000_000)
            } catch {
                throw BenchError("the folder was refused: \(error)")
            }
        }
    }

    /// Begins with whatever is to be applied.
    init(_ body: @escaping @Sendable () throws(BenchError) -> Void) throws {
        let ending = self.ending
        worker = try Worker(name: "import") {
            let start = Clock.now
            let result = Result { () throws(BenchError) -> Double in
                try body()
                return Double(Clock.now - start) / 1e9
            }
            ending.result.withLock { $0 = result }
        }
    }

    /// Whether it is over.
    var hasEnded: Bool { ending.result.withLock { $0 != nil } }

    /// Seconds it took.
    func finish() throws(BenchError) -> Double {
        worker.join()
        guard let result = ending.result.withLock({ $0 }) else { throw BenchError("the import did not end") }
        return try result.get()
    }
}
