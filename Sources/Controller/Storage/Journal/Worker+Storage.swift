import Threads

extension Worker {
    /// A thread of the storage's own, so that no reader's thread ever waits inside SQLite.
    convenience init(storage name: String, loops: Loops, body: @escaping @Sendable (Loop) -> Void) throws(StorageError) {
        do {
            try self.init(name: name, loops: loops, body: body)
        } catch {
            throw StorageError(errno: error.number, doing: "start the thread \(name)")
        }
    }
}
