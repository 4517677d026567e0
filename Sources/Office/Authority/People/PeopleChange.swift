import TrustSync

/// What became of one thing that is published of people.
enum PeopleChange: Hashable {
    /// It is there, new or other than it was.
    case put(PublicationRecord)
    /// It is there no more.
    case gone(PeopleKey)
}
