/// Whether it is time to collect the journal (A6).
public enum JournalCollectionState: Hashable, Sendable {
    /// There is room for at least a tenth of the ring, or nobody collects.
    case inOrder
    /// Nine tenths of the ring have not been collected.
    case due
    /// The whole ring has not been collected: each record more takes the place of one that nobody has.
    case full

    /// - Parameters:
    ///   - uncollected: records kept that nobody has collected.
    ///   - most: records that the ring keeps.
    init(uncollected: UInt64, of most: UInt64) {
        if uncollected >= most {
            self = .full
        } else if uncollected * 10 >= most * 9 {
            self = .due
        } else {
            self = .inOrder
        }
    }

    /// Stable code; nil while there is nothing to say.
    public var code: String? {
        switch self {
        case .inOrder: nil
        case .due: "audit-collect-due"
        case .full: "journal-full"
        }
    }
}
