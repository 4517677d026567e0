/// What happens to a journal in service and must be said loudly.
public enum JournalIncident: Hashable, Sendable {
    /// Records cannot be written; they are kept and tried again.
    case failing(StorageError)
    /// They can be written again.
    case recovered
    /// The file was found damaged; it was set aside and a new one continues the chain.
    case setAside(JournalSetAside)
    /// So many records were refused because too many were waiting. Told when writing works again.
    case lost(Int)
}
