/// Whose records of people a gate keeps.
public enum KeptSiteData: String, Sendable, CaseIterable {
    /// Everybody's.
    case all
    /// Those that concern a zone of its lanes, or the whole site.
    case ownZones = "own-zones"
}
