/// Who said that somebody belongs to a group. The bits are written into the database: never renumbered. A membership is
/// there for as long as one of them says so.
struct MembershipSource: OptionSet {
    let rawValue: Int64

    /// The file of the site's rules, with the files of members that it names.
    static let rules = MembershipSource(rawValue: 1)
    /// A command, such as an imported list.
    static let command = MembershipSource(rawValue: 2)
}
