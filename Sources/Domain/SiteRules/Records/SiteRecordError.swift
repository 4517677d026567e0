/// Why an item is no record of a site's rules.
public enum SiteRecordError: Error, Hashable, Sendable {
    /// Fields are missing, too many, out of range or not in their one form.
    case malformed
    /// A kind that this version does not know.
    case unknownKind
}
