import Threads

extension Worker {
    /// A thread of the storage's own, so that no reader's thread ever waits inside SQLite.
    convenience init(storage name: String, body: @escaping @Sendable () -> Void) throws(StorageError) {
        do {
            try self.init(name: name, body: body)
        } catch {
            throw StorageError(errno: error.number, doing: "start the thread \(name)")
        }
    }
}
