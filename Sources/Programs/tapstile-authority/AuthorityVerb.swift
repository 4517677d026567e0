/// What this program can do; the raw values are the names of its commands.
enum AuthorityVerb: String, CaseIterable {
    case make = "init"
    case gate
    case token
    case issuer
    case enrol
    case card
    case lost
    case revoke
    case ban
    case unban
    case suspend
    case resume
    case rules
    case importPeople = "import"
    case publish
    case ceremony
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
    case serve
    case invite

    /// Whether it signs dates by this machine's clock that others judge by theirs.
    var signsDates: Bool {
        switch self {
        case .token, .publish, .draft, .accept, .rotate, .newEpoch: true
        // They hold the clock against the draft's own date; the office's part of a ceremony looks at it itself.
        case .sign, .ceremony: false
        // A gate's credential begins an hour back; what the others note is no signed date.
        case .make, .gate, .issuer, .enrol, .card, .lost, .revoke, .ban, .unban, .suspend, .resume, .rules, .importPeople, .roleKey, .verifyRepository, .checkGates, .list,
             .verifyEvidence, .verifyJournal: false
        // They look at the clock themselves, where they need it.
        case .serve, .invite: false
        }
    }
}
