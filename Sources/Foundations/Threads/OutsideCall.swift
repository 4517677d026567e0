/// A call whose end is not in our hands: a driver, a disk, another program. Whoever makes one says so
/// beforehand, and for how long it may take.
public struct OutsideCall: Hashable, Sendable {
    /// What is waited for: `the line entry-relay`.
    public let name: String
    /// What happens when it takes longer than it may.
    public let patience: Patience
    /// A sentence that names the remedy; empty where another fault does.
    public let remedy: String

    /// What becomes of a call that takes too long.
    public enum Patience: Hashable, Sendable {
        /// Whoever makes the call notices itself and shows a fault of its own (`reader-stuck`, `journal-slow`).
        case watchedElsewhere
        /// After so many milliseconds it is shown as a fault. A restart would not fix it, and would take what
        /// works out of service.
        case fault(afterMilliseconds: Int64)
        /// After so many milliseconds the gate is to be restarted: to go on would be worse.
        case restart(afterMilliseconds: Int64)
    }

    public init(_ name: String, _ patience: Patience, remedy: String = "") {
        self.name = name
        self.patience = patience
        self.remedy = remedy
    }
}
