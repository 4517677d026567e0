import CommandLineOptions

/// The commands about the site's repository.
enum RepositorySyntax {
    static func publish(_ everywhere: [OptionSyntax]) -> CommandSyntax {
        CommandSyntax(
            AuthorityVerb.publish.rawValue, "Publishes what has changed in the site's repository; with init, begins one.",
            operands: [OperandSyntax("init", isOptional: true, "begin a repository")],
            options: [.value("repo", "DIR", "the repository's folder, with init, or with --key"),
                      .flag("together", "with init: all keys are made here, root and targets too"),
                      .flag("replace", "with init: in the place of the one that there is; every gate needs the new 1.root.json by hand"),
                      .value("root-key", "FILE", isRepeatable: true, "with init: a public key of the role root"),
                      .value("root-threshold", "N", "with init: how many of them must sign (default: 1)"),
                      .value("targets-key", "FILE", isRepeatable: true, "with init: a public key of the role targets"),
                      .value("targets-threshold", "N", "with init: how many of them must sign (default: 1)")]
                + ["root", "targets", "people", "snapshot", "timestamp"].map {
                    .value("expires-\($0)", "DURATION", "with init: for how long what \($0) signs counts")
                }
                + [.value("stick", "DIR", "publish, and make a copy in this folder for gates without a network"),
                   .value("valid", "DURATION", "with --stick: how long the copy counts (default: 45d)"), .flag("dry-run", "only say what would be published"),
                   .flag("changes-only", "do not make the file with everybody anew, however long the changes since it are"), .flag("timestamp", "sign a new timestamp and nothing else"),
                   .value("restored", "repository|office", "after an old backup was restored: which of the two counts"),
                   .flag("anyway", "keys of people in groups go out though targets have not signed what the rules say of them"),
                   .value("warn-before", "DURATION", "exit status 3 so long before root or targets have to sign (default: 30d)"),
                   .value("key", "FILE", isRepeatable: true, "with --timestamp and --repo: the key; no authority is needed then")] + everywhere,
            details: """
                The folder is for any web server, object store or stick. Gates need 1.root.json of it (trust.root). Where root and
                targets sign on other machines, draft, sign and accept come first.
                """)
    }

    static func ceremony(_ everywhere: [OptionSyntax]) -> CommandSyntax {
        CommandSyntax(
            AuthorityVerb.ceremony.rawValue, "Leads through what keys elsewhere sign: the same command for the office and for each holder of a key.",
            operands: [OperandSyntax("FOLDER", "goes from hand to hand, as on a stick")],
            options: [.value("key", "FILE", isRepeatable: true, "a holder's key, NAME.key; it is made if the ceremony waits for NAME's"),
                      .value("root", "FILE", isRepeatable: true, "for holders: a root that you trust, by which to know what is in force"),
                      .flag("yes", "without asking: as with sign; for the office, that the keys with which a site begins are the right ones"),
                      .flag("uncompared", "for holders, with --yes: also if what is in force is not known"),
                      .value("repo", "DIR", "for the office: begin a repository in this folder"),
                      .flag("replace", "with --repo: in the place of the one that there is; every gate needs the new 1.root.json by hand"),
                      .value("root-holder", "NAME", isRepeatable: true, "for the office: somebody who makes a key of the role root"),
                      .value("targets-holder", "NAME", isRepeatable: true, "for the office: somebody who makes a key of the role targets"),
                      .value("remove", "NAME|FILE|KEYID", isRepeatable: true, "for the office: a key of root or targets that goes"),
                      .value("root-threshold", "N", "for the office: how many keys of root must sign (default: as before; at first 1)"),
                      .value("targets-threshold", "N", "for the office: how many keys of targets must sign (default: as before; at first 1)")]
                + ["root", "targets", "people", "snapshot", "timestamp"].map {
                    .value("expires-\($0)", "DURATION", "with --repo: for how long what \($0) signs counts")
                }
                + [.flag("cancel", "for the office: give up the ceremony that is under way")] + everywhere,
            details: """
                The office calls it with --dir, first and last; holders with --key, or on a terminal without, one after the other. Whoever calls it does what
                can be done now, and hears who is next and what that person types. Interrupted anywhere, the same command goes on.
                """)
    }

    static func roleKey(_ everywhere: [OptionSyntax]) -> CommandSyntax {
        CommandSyntax(
            AuthorityVerb.roleKey.rawValue, "Makes a key pair for a role of the repository, on the machine where it stays.",
            options: [.value("role", "ROLE", "root, targets, people, snapshot or timestamp"),
                      .value("out", "FILE.key", "where the private key goes; the public one gets the ending .pub")] + everywhere)
    }

    static func draft(_ everywhere: [OptionSyntax]) -> CommandSyntax {
        CommandSyntax(
            AuthorityVerb.draft.rawValue, "Writes what the keys of root or targets shall sign next.",
            operands: [OperandSyntax("ROLE", "root or targets")],
            options: [.value("out", "FILE", "where the draft goes")] + everywhere)
    }

    static func sign(_ everywhere: [OptionSyntax]) -> CommandSyntax {
        CommandSyntax(
            AuthorityVerb.sign.rawValue, "Signs a draft, on the machine that has the key; says in words what it changes, and believes no office.",
            operands: [OperandSyntax("FILE", "the draft")],
            options: [.value("key", "FILE", "the private key; what it signs is remembered in FILE.signed"), .value("out", "FILE", "where the signature goes"),
                      .value("root", "FILE", isRepeatable: true, "a root that you trust, by which to know what is in force"),
                      .flag("yes", "sign without asking, if what is in force is known"), .flag("uncompared", "with --yes: also if it is not")] + everywhere,
            details: """
                What is in force is known if the key has signed it, or if it is signed as a root demands that you name. What differs from it is shown; a
                root is shown whole. Otherwise everything is shown whole. A key whose public half lies beside yours has the name of that file.
                """)
    }

    static func accept(_ everywhere: [OptionSyntax]) -> CommandSyntax {
        CommandSyntax(
            AuthorityVerb.accept.rawValue, "Takes a draft with its signatures, if there are enough, and publishes.",
            operands: [OperandSyntax("FILE", "the draft")],
            options: [.value("signature", "FILE", isRepeatable: true, "a signature of it")] + everywhere)
    }

    static func rotate(_ everywhere: [OptionSyntax]) -> CommandSyntax {
        CommandSyntax(
            AuthorityVerb.rotate.rawValue, "Changes the keys of a role of the repository.",
            operands: [OperandSyntax("ROLE", "root, targets, people, snapshot or timestamp")],
            options: [.value("add", "FILE", isRepeatable: true, "a public key that comes (default: one is made here)"),
                      .value("remove", "FILE|KEYID", isRepeatable: true, "a key that goes: its public half, or the beginning of its identifier"),
                      .flag("drop", "all keys but the newest go"),
                      .value("threshold", "N", "how many must sign"),
                      .value("valid", "DURATION", "for how long what it signs counts")] + everywhere,
            details: "Old and new keys count side by side until --drop. The role that delegates signs the change: root, or targets for people.")
    }

    static func newEpoch(_ everywhere: [OptionSyntax]) -> CommandSyntax {
        CommandSyntax(
            AuthorityVerb.newEpoch.rawValue, "Lets versions of people count anew, after a key of people was stolen.", options: everywhere)
    }

    static func verify(_ everywhere: [OptionSyntax]) -> CommandSyntax {
        CommandSyntax(
            AuthorityVerb.verifyRepository.rawValue, "Looks at a repository as a new gate does; needs no authority.",
            operands: [OperandSyntax("DIR", "the repository's folder")],
            options: [.value("root", "FILE", "the root that gates were given (default: 1.root.json of the repository)"),
                      .value("at", "TIME", "for another time than now, UTC")] + everywhere)
    }
}
