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

/// What happens to a journal in service and must be said loudly.
public enum JournalIncident: Hashable, Sendable {
    /// An older program wrote the file, with this schema: it is brought up to date before the journal is open.
    case upgrading(fromSchema: Int)
    /// Records cannot be written; they are kept and tried again. With `journal-slow` the disk has not
    /// answered for longer than one in order takes, and nobody knows whether it will.
    case failing(StorageError)
    /// They can be written again.
    case recovered
    /// The file was found damaged; it was set aside and a new one continues the chain.
    case setAside(JournalSetAside)
    /// So many records were refused because too many were waiting. Told when writing works again.
    case lost(Int)
    /// It has become time to collect the records, or they have been collected.
    case collection(JournalCollectionState)
    /// The disk did not answer when the journal was to be closed: so many records may not be on it.
    case abandoned(Int)
}

/// A journal file that could not be trusted any more and was renamed, whole, never deleted.
public struct JournalSetAside: Hashable, Sendable {
    /// The name it has now, in the same folder; empty if the file was gone.
    public let name: String
    /// Why.
    public let reason: StorageError
    /// The head from which the new file continues the main chain; nil if no trace of it was readable and
    /// the chain begins anew.
    public let continuedFrom: JournalHead?
    /// The same of the chain of what nobody proved.
    public var continuedUnproven: JournalHead?

    /// Why, and where the file is now.
    public var sentence: String {
        name.isEmpty ? reason.message : "\(reason.message) The file is kept as \(name)."
    }
}
