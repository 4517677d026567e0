import CommandLineOptions

/// The commands of this program.
enum AuthoritySyntax {
    static let program = ProgramSyntax(
        "tapstile-authority", "The back office of a site: keys, tokens, enrolled keys, revocation, the repository.",
        commands: AuthorityVerb.allCases.map(syntax))

    private static func syntax(of verb: AuthorityVerb) -> CommandSyntax {
        switch verb {
        case .make: make
        case .gate: gate
        case .token: token
        case .issuer: issuer
        case .enrol: enrol
        case .card: card
        case .lost: lost
        case .revoke: revoke
        case .ban: ban
        case .unban: unban
        case .suspend: suspend
        case .resume: resume
        case .rules: rules
        case .importPeople: importPeople
        case .publish: RepositorySyntax.publish(signing)
        case .ceremony: RepositorySyntax.ceremony(signing)
        case .roleKey: RepositorySyntax.roleKey(everywhere)
        case .draft: RepositorySyntax.draft(signing)
        case .sign: RepositorySyntax.sign(signing)
        case .accept: RepositorySyntax.accept(signing)
        case .rotate: RepositorySyntax.rotate(signing)
        case .newEpoch: RepositorySyntax.newEpoch(signing)
        case .verifyRepository: RepositorySyntax.verify(everywhere)
        case .checkGates: checkGates
        case .list: list
        case .verifyEvidence: verifyEvidence
        case .verifyJournal: verifyJournal
        case .serve: InvitationSyntax.serve
        case .invite: InvitationSyntax.invite
        }
    }

    private static let everywhere: [OptionSyntax] = [
        .value("dir", "DIR", "the authority's folder (default: the current one)"),
        .flag("json", "say what was done as one JSON object")
    ]

    /// Those of commands that sign dates.
    private static let signing = everywhere + [
        .flag("clock-checked", "this machine's clock was compared with a watch: sign by it, whoever else answers for it")
    ]

    private static let audience = OptionSyntax.value(
        "audience", "AUDIENCE", isRepeatable: true, "tapstile:SITE[/ZONE[/LANE]] (default: the whole site)")

    private static let rights: [OptionSyntax] = [
        audience, .value("scope", "COMMANDS", "commands, separated by spaces (default: tokn)")
    ] + times

    private static let times: [OptionSyntax] = [
        .value("valid", "DURATION", "for how long, from now or --not-before: 12h, 30d"),
        .value("not-before", "TIME", "the first moment, UTC: 2025-01-31T08:00:00Z"),
        .value("expires", "TIME", "the first moment at which it is over, UTC; never: without an end")
    ]

    private static let phoneKey = OptionSyntax.value(
        "key", "FILE", "the phone's public key: a TAPSTILE PUBLIC KEY, PEM, DER, JWK, COSE_Key, or a point in hexadecimal")

    private static let make = CommandSyntax(
        AuthorityVerb.make.rawValue, "Makes an authority: issuer keys, empty database.",
        options: [.value("site", "SITE", "the name of the site"),
                  .value("issuer", "NAME", "the name of the token issuer (default: SITE)"),
                  .value("gate-issuer", "NAME", "the name of the gate issuer, another one (default: SITE-gates)")] + everywhere,
        details: "The next command is `publish init`: it begins the repository that gates have site data from.")

    private static let gate = CommandSyntax(
        AuthorityVerb.gate.rawValue, "Makes the keys of a group of gates, and changes them.",
        options: [.value("name", "NAME", "the name of the group"),
                  .flag("rotate", "make new keys beside the old ones, and say from when on gates may use them"),
                  .flag("emergency", "make new keys for at once, with credentials for phones that do not know them"),
                  .flag("credential", "write such credentials for the keys that are there"),
                  .value("valid", "DURATION", "how long credentials hold (default: until every phone has come, 30d at least)"),
                  .flag("drop-old", "give phones the newest keys only, when every gate uses them")] + everywhere,
        details: """
            The two key files in gates/NAME, and after a change in gates/NAME/GENERATION, go to every gate of
            the group. gates.phone has what phones know all gates of the site by; phones get it with each token.
            """)

    private static let token = CommandSyntax(
        AuthorityVerb.token.rawValue, "Issues a token for a phone's public key.",
        options: [phoneKey, .value("subject", "NAME", "the person or account"),
                  .value("use", "sign|agree", "what the key does, where its file does not say it (default: sign)"),
                  .value("out", "FILE", "where the token goes (default: tokens/ in the folder)"),
                  .value("clock-skew", "DURATION", "how far a gate's clock may be behind: the token begins so long before now (default: 5m)"),
                  .flag("user-verified", "the key is released only after user verification")] + rights + signing,
        details: "Without --valid and --expires a token is valid for 30 days.")

    private static let issuer = CommandSyntax(
        AuthorityVerb.issuer.rawValue, "Changes who signs tokens, here and elsewhere.",
        options: [.flag("rotate", "make a new issuer beside the old one; gates believe both once it is published"),
                  .flag("use", "sign tokens with the new one, when every gate has it"),
                  .flag("drop-old", "give gates the new one only, when no token of the old one holds any more"),
                  .flag("emergency", "make a new issuer in the place of the old one, at once: every token of before is void"),
                  .flag("anyway", "with --drop-old: though an old backup was restored, which knows nothing of tokens that were issued since"),
                  .value("issuer", "NAME", "with --rotate and --emergency: the name of the new issuer (default: the first one's, with a number)"),
                  .value("add", "NAME", "an issuer whose private key is elsewhere, such as a server that invites visitors; with --key"),
                  .value("key", "FILE", "with --add: its public key (issuer.pub)"),
                  .value("queue", "FILE", "with --add: the file in which it says which of its tokens it has taken back; publish reads it"),
                  .value("remove", "NAME", "give gates such an issuer no longer"),
                  .value("off", "NAME", "no token of an issuer counts, until --on"),
                  .value("on", "NAME", "they count again")]
            + everywhere,
        details: """
            Gates know with the next publication; in a repository targets sign it, but for --off and --on, which the key of people signs.
            An issuer that was added is not published before the rules say with [[issuer]] what its tokens may say.
            """)

    private static let enrol = CommandSyntax(
        AuthorityVerb.enrol.rawValue, "Enrols a key, so that it opens without a token.",
        options: [phoneKey,
                  .value("ccs", "FILE|HEX", "a claims set with a key, from elsewhere"),
                  .value("from", "FILE", "a list of keys, one JSON object a line; - is standard input"),
                  .value("subject", "NAME", "the person or account"),
                  .value("kid", "HEX", "how the phone names the key (default: from its thumbprint)"),
                  .value("use", "sign|agree", "what the key does, where its file does not say it (default: sign; of a claims set: agree)"),
                  .value("out", "FILE", "where the phone's claims set goes"),
                  .flag("user-verified", "the key is released only after user verification")] + losses + rights + everywhere,
        details: """
            A line of a list: {"subject": "anna", "key": "04…"}; also use, kid, audience, scope, userVerified,
            notBefore, expires, or ccs in the place of key and kid. A key is a JWK, PEM, or a point, DER or COSE_Key in
            hexadecimal. A list is taken whole or not at all.
            """)

    private static let card = CommandSyntax(
        AuthorityVerb.card.rawValue, "Takes a UID-only card onto the site's list, or off it.",
        options: [.value("uid", "HEX", "the card's number: 4, 7 or 10 bytes"), .value("subject", "NAME", "the person or account"),
                  .flag("remove", "take it off the list")] + [audience] + times + everywhere,
        details: "Anybody can copy such a number. It opens lanes with uid-only-cards = true, and every record says assurance low.")

    private static let subject = OptionSyntax.value("subject", "NAME", "the person or account")
    private static let anyway = OptionSyntax.flag("anyway", "also if nobody here has it")
    private static let yes = OptionSyntax.flag("yes", "do not ask")

    private static let lost = CommandSyntax(
        AuthorityVerb.lost.rawValue, "Ends every key and token of a subject until now, as after the loss of a phone; a new key may be enrolled at once.",
        options: [subject] + everywhere,
        details: "UID-only cards go on: 'card --remove'. \(whenGatesKnow)")

    private static let revoke = CommandSyntax(
        AuthorityVerb.revoke.rawValue, "Revokes one token, or one key, for good.",
        options: [.value("token", "FILE|ID", "a token, or its identifier in hexadecimal"),
                  .value("issued", "ISSUER:CTI", "a token by the issuer's number of it, in hexadecimal"),
                  .value("key", "FILE|THUMBPRINT", "a key, in tokens and enrolled"), anyway] + everywhere,
        details: "A lost phone: 'lost'. Everything of a person: 'suspend' or 'ban'. \(whenGatesKnow)")

    private static let ban = CommandSyntax(
        AuthorityVerb.ban.rawValue, "Lets nothing of a subject count for good, and gives them nothing new; asks before.",
        options: [subject, yes, anyway] + everywhere, details: whenGatesKnow)

    private static let unban = CommandSyntax(
        AuthorityVerb.unban.rawValue, "Lifts the ban of a subject; asks before.", options: [subject, yes] + everywhere, details: whenGatesKnow)

    private static let suspend = CommandSyntax(
        AuthorityVerb.suspend.rawValue, "Lets nothing of a subject count, until it is resumed.", options: [subject, anyway] + everywhere,
        details: "Gates refuse the subject as revoked. \(whenGatesKnow)")

    private static let whenGatesKnow = "Gates know with the next publication that they take: 'publish', then their next synchronisation or a stick ('publish --stick')."

    private static let resume = CommandSyntax(
        AuthorityVerb.resume.rawValue, "Ends the suspension of a subject.", options: [subject] + everywhere, details: whenGatesKnow)

    private static let losses: [OptionSyntax] = [
        .value("max-loss", "PERCENT", "refuse a list by which more of what is there would go or give less (default: 20; fewer than ten may always)"),
        .flag("anyway", "take it, however much goes")
    ]

    private static let rules = CommandSyntax(
        AuthorityVerb.rules.rawValue, "Takes the site's rules: schedules, groups, who may pass where, zones.",
        operands: [OperandSyntax("FILE", isOptional: true, "the rules (docs/site.md); in the place of those that were taken before")],
        options: [.flag("check", "only say whether the file is in order"),
                  .flag("show", "print the file that was taken last")] + losses + everywhere,
        details: """
            Every mistake is named at once, with line and column. A file is taken whole or not at all, with the files of
            members that it names. \(whenGatesKnow)
            """)

    private static let importPeople = CommandSyntax(
        AuthorityVerb.importPeople.rawValue, "Takes people with their keys, cards and groups from a list (CSV).",
        operands: [OperandSyntax("FILE", "the list: comma-separated values, UTF-8; the first line names the columns")],
        options: [.flag("check", "only say what would change, who gains and who loses what, and what is wrong")] + losses + everywhere,
        details: """
            Columns, in any order, all but the first optional: subject, key, kid, use, uid, groups, audiences, scope, not-before,
            expires, user-verified, action (set or remove). Every mistake is named with line and column; a list is taken whole or
            not at all.
            """)

    private static let checkGates = CommandSyntax(
        AuthorityVerb.checkGates.rawValue, "Says whether a gate's site data or journal have gone back since it was looked at last.",
        options: [.value("status", "FILE", isRepeatable: true, "what `tapstile status --json` of a gate printed"),
                  .value("checkpoint", "FILE", isRepeatable: true, "what `tapstile journal checkpoint --out` of a gate wrote; with --audit-key"),
                  .value("audit-key", "FILE", isRepeatable: true, "an audit key of a gate (`tapstile journal audit-key --out`)"),
                  .value("replaced", "GATE", isRepeatable: true, "this gate has a new disk: what it has shown is forgotten first"),
                  .value("days", "N", "site data older than that are found (default: 7)")] + everywhere,
        details: "Exit status 0 only if every gate went forward. A gate cannot notice by itself that its whole disk was put back.")

    private static let list = CommandSyntax(
        AuthorityVerb.list.rawValue, "Lists what was issued, enrolled or revoked; with --json one object a line.",
        operands: [OperandSyntax("WHAT", "gates, issuers, people, tokens, enrolled, cards, revocations or memberships")],
        options: [.value("subject", "NAME", "only what is of this person or account"),
                  .value("key", "FILE|THUMBPRINT", "only what is of this key"),
                  .flag("without-phone", "of people, only those who have no key that counts, enrolled or in a token"),
                  .value("expiring", "DURATION", "only what ends in that time from now: 30d"),
                  .value("limit", "N", "so many lines at most; standard error says how to go on"),
                  .value("skip", "N", "leave out the first so many")] + everywhere)

    private static let verifyJournal = CommandSyntax(
        AuthorityVerb.verifyJournal.rawValue, "Checks a copy of a gate's journal.db, or what was collected; needs no gate and no authority.",
        operands: [OperandSyntax("FILE", "the copy, or the output of `tapstile journal --bodies`")],
        options: [.value("since-checkpoint", "FILE", "a checkpoint that was kept elsewhere (`tapstile journal checkpoint --out`)"),
                  .value("audit-key", "FILE", isRepeatable: true, "an audit key that was kept elsewhere (`tapstile journal audit-key --out`)"),
                  .value("site", "ID", "the site it must be of"), .value("gate", "ID", "the gate it must be of")] + everywhere,
        details: "Exit status 0 only if nothing speaks against the journal. What cannot be found is printed in words.")

    private static let verifyEvidence = CommandSyntax(
        AuthorityVerb.verifyEvidence.rawValue, "Checks evidence that `tapstile journal export-evidence` exported; needs no gate.",
        operands: [OperandSyntax("FILE", "the evidence, or what was collected (with --record)")],
        options: [.value("record", "SEQUENCE", "the record, of those that were collected with `tapstile journal --bodies`"),
                  .value("issuer-key", "FILE", isRepeatable: true, "public key of a token issuer (issuer.pub)"),
                  .value("gates", "FILE", isRepeatable: true, "what phones know the gates by (gates.phone), also of long ago"),
                  .value("publication", "FILE", isRepeatable: true, "a publication of then, in one file, as offices made them before the first release; with --site-key"),
                  .value("site-key", "FILE", "the key that signed such files (site.pub)"),
                  .value("checkpoint", "FILE", "the checkpoint through which was collected"),
                  .value("audit-key", "FILE", isRepeatable: true, "the gate's audit key, kept elsewhere (`tapstile journal audit-key --out`)"),
                  .value("phone-key", "FILE|THUMBPRINT", "the key that the person is known to have"),
                  .value("head", "HASH", "the record's hash as somebody kept it, in hexadecimal")] + everywhere,
        details: """
            With --issuer-key, --gates or --publication the authority's folder is not opened, unless --dir names it:
            anybody with the public files can check. Exit status 0 only if every check holds; 1 also if one is left open because
            something was not given; 4 if all hold but one: the gate has not signed that it granted (evidence-only-phone).
            """)
}
