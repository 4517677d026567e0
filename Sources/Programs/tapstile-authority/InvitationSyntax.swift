import CommandLineOptions

/// The commands of the server of invitations.
enum InvitationSyntax {
    private static let directory = OptionSyntax.value("dir", "DIR", "the server's folder, not the authority's (default: the current one)")
    private static let json = OptionSyntax.flag("json", "say what was done as one JSON object")

    static let serve = CommandSyntax(
        AuthorityVerb.serve.rawValue, "Serves invitations by a link: visitors' phones get and renew their tokens here, operators see who has what.",
        operands: [OperandSyntax("WHAT", isOptional: true, "init makes the server's folder, operator sets a password, check looks at all; without it: serve")],
        options: [.value("site", "SITE", "of init: the name of the site"),
                  .value("issuer", "NAME", "of init: the name under which the office will know this server's key"),
                  .value("url", "URL", "of init: what links begin with, such as https://gates.example/visit"),
                  .value("listen", "PLACE", "of init: where visitors are listened to, such as [::]:443 (default: a Unix socket for a web server in front)"),
                  .value("certificate", "FILE", "of init: the certificate chain, PEM"),
                  .value("key", "FILE", "of init: its private key, PEM"),
                  .value("gates", "FILE", "of init: the office's file for phones (default: gates.phone in the folder)"),
                  .value("operator-url", "URL", "of init: what operators open; another host or port"),
                  .value("operator-listen", "PLACE", "of init: where operators are listened to"),
                  .value("name", "NAME", "of operator: whose password standard input says, in one line"),
                  .flag("remove", "of operator: take the operator away"),
                  directory, json],
        details: """
            Its folder and key are its own: it never opens the authority's. The office learns the key by `issuer --add`, and the gates'
            ceiling says what it may do. SIGHUP reads certificates and page again, SIGTERM ends it.
            """)

    static let invite = CommandSyntax(
        AuthorityVerb.invite.rawValue, "Invites somebody by a link, which is printed once; lists invitations and takes them back.",
        options: [.value("subject", "NAME", "the person or account; with --list: only theirs"),
                  .value("zone", "ZONE", isRepeatable: true, "a zone of the site"),
                  .value("lane", "ZONE/LANE", isRepeatable: true, "a lane of the site"),
                  .value("audience", "AUDIENCE", isRepeatable: true, "tapstile:SITE[/ZONE[/LANE]] (default: the whole site)"),
                  .value("scope", "COMMANDS", "commands, separated by spaces (default: tokn)"),
                  .value("valid", "DURATION", "for how long, from now or --not-before: 12h, 30d"),
                  .value("not-before", "TIME", "the first moment, UTC: 2025-01-31T08:00:00Z"),
                  .value("expires", "TIME", "the first moment at which it is over, UTC"),
                  .value("open-for", "DURATION", "for how long the link can be used (default: 7d)"),
                  .flag("user-verified", "the phone releases its key only after user verification: you have seen it"),
                  .value("note", "TEXT", "for operators"),
                  .value("from", "FILE", "several at once: comma-separated values; the first line names the columns"),
                  .value("png", "FILE", "write the link as a picture, too"),
                  .value("svg", "FILE", "write the link as a drawing, too"),
                  .flag("mail", "print a text for a mail, in English and German, and nothing else"),
                  .flag("list", "list invitations, the newest first; with --json one object a line"),
                  .value("withdraw", "ID", "take an invitation back for good, whoever has used its link"),
                  .value("suspend", "ID", "give its phone no tokens, until it is resumed"),
                  .value("resume", "ID", "give it tokens again"),
                  .value("revoke", "ID", "take its access back for good"),
                  .flag("clock-checked", "this machine's clock was compared with a watch: date by it, whoever else answers for it"),
                  directory, json],
        details: """
            The link is a secret until it is used: it goes to standard output and into the files that you name, and nobody can be told it again.
            Columns of a list: subject, places (ZONE or ZONE/LANE, with semicolons between them), not-before, expires, note; options give
            what it does not. A list is taken whole or not at all. Gates know what was taken back with the office's next publication.
            """)
}
