import Foundation
import Waits

/// Runs what is to be refused for want of permission. Nothing is refused to root: there the thread
/// gives up root's rights over files, for itself alone (setfsuid, which Swift's Glibc lacks).
enum UnprivilegedThread {
    static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async throws -> Result {
        let results = EventLog<Swift.Result<Result, any Error>>()
        Thread.detachNewThread {
            results.record(Swift.Result { try giveUpRights(); return body() })
        }
        return try await results.next("what the thread without rights comes to") { _ in true }.get()
    }

    private struct NotPossible: Error {}

    private static func giveUpRights() throws {
        guard geteuid() == 0 else { return }
        typealias SetFileSystemUser = @convention(c) (UInt32) -> Int32
        let nobody: UInt32 = 65534
        guard let symbol = dlsym(nil, "setfsuid") else { throw NotPossible() }
        let setFileSystemUser = unsafeBitCast(symbol, to: SetFileSystemUser.self)
        _ = setFileSystemUser(nobody)
        // It answers who the thread was before, also when it refused: the second answer tells.
        guard setFileSystemUser(nobody) == Int32(nobody) else { throw NotPossible() }
    }
}
