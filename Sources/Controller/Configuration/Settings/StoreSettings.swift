/// `[store]`
public struct StoreSettings: Hashable, Sendable {
    /// The state folder: `trust.db`, `journal.db`, the clock's memory, the instance lock.
    public var directory: String

    public init(directory: String) { self.directory = directory }
}
