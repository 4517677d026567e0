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
