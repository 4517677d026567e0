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
