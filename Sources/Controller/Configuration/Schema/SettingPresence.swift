/// What happens when a setting is not in the file.
public enum SettingPresence: Hashable, Sendable {
    /// An error.
    case required
    /// Nothing is set.
    case optional
    /// This value holds.
    case standard(SettingValue)
    /// A text around the name of the table that this one is in: `before` and `after` it.
    case named(before: String, after: String)
    /// The value of another setting holds, named by its full path.
    case inherited(String)
}
