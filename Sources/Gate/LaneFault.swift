/// What keeps a lane out of service. A lane with any fault grants nothing.
public enum LaneFault: Hashable, Sendable, Comparable, CaseIterable {
    /// An output line could not be requested or set.
    case line
    /// No reader of the lane is in service.
    case reader
    /// A reader has not answered for longer than a reader may (10 s).
    case readerStuck
    /// The gate has no key to prove itself with to a phone.
    case gateKey
    /// More than one reader fits a binding, so that none may be used (T3).
    case ambiguousReader

    /// The faults that the readers of a lane cause.
    public static let ofReaders: Set<LaneFault> = [.reader, .readerStuck, .ambiguousReader]

    /// Stable code, for status, events and journal.
    public var code: String {
        switch self {
        case .line: "line-fault"
        case .reader: "reader-absent"
        case .readerStuck: "reader-stuck"
        case .gateKey: "gate-key-missing"
        case .ambiguousReader: "reader-ambiguous"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .line: "An output line of this lane cannot be driven."
        case .reader: "No reader of this lane is in service."
        case .readerStuck: "A reader of this lane has stopped answering."
        case .gateKey: "The gate has no key to prove itself with to phones; `keys` says which and what mends it."
        case .ambiguousReader: "More than one reader fits a reader of this lane; bind it by serial number or port."
        }
    }
}
