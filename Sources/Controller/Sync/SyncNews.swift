/// What happens during a run, for whoever tells people.
enum SyncNews: Equatable, Sendable {
    /// The versions of the repository were lost, and those of the metadata must do.
    case versionsLost
    /// Metadata are verified, with the dates in them.
    case verified(SignedDates)
    /// A timestamp was refused because by this gate's clock nobody can have signed it yet. Its signature holds. UNIX seconds.
    case timestampAhead(Int64)
    /// Changes could not be made to what is in use, or led elsewhere than they should have: the whole is fetched.
    case wholeNeeded(SyncFailure)
    /// What the site decides is in use before a long file that comes with it.
    case siteAhead
    /// The bundles are here, and are being put to use.
    case applying
}
