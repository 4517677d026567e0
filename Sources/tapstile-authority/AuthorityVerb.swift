/// What this program can do; the raw values are the names of its commands.
enum AuthorityVerb: String, CaseIterable {
    case make = "init"
    case gate
    case token
    case issuer
    case enrol
    case card
    case revoke
    case suspend
    case resume
    case rules
    case importPeople = "import"
    case export
    case publish
    case roleKey = "role-key"
    case draft
    case sign
    case accept
    case rotate
    case newEpoch = "new-epoch"
    case verifyRepository = "verify-repo"
    case checkGates = "check-gates"
    case list
    case verifyEvidence = "verify-evidence"
    case verifyJournal = "verify-journal"
}
