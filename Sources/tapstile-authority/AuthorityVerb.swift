/// What this program can do; the raw values are the names of its commands.
enum AuthorityVerb: String, CaseIterable {
    case make = "init"
    case gate
    case token
    case enrol
    case card
    case revoke
    case suspend
    case resume
    case rules
    case importPeople = "import"
    case export
    case list
    case verifyEvidence = "verify-evidence"
    case verifyJournal = "verify-journal"
}
