import Authority
import CommandLineOptions
import Encoding

/// `issuer`: who signs tokens, and how that changes.
enum IssuerCommand {
    private static let changes = ["rotate", "use", "drop-old", "emergency", "add", "remove", "off", "on"]

    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let change = try command.exactlyOne(of: changes)
        let name = command.value("issuer")
        if !["rotate", "emergency"].contains(change) { try command.refuse(["issuer"], beside: change) }
        if change != "add" { try command.refuse(["key", "queue"], beside: change) }
        if change != "drop-old" { try command.refuse(["anyway"], beside: change) }
        switch change {
        case "rotate":
            return Report("Made a new token issuer beside the old one. Publish; when every gate has it: --use.",
                          facts(try authority.rotateIssuer(name: name, now: now)))
        case "use":
            return Report("Tokens are signed by the new issuer. From safeFrom on nobody needs the old one: --drop-old.",
                          facts(try authority.useNewIssuer(now: now)))
        case "emergency":
            let handover = try authority.replaceIssuer(name: name, now: now)
            // Whoever believes that all is over must not overlook a server.
            let others = try authority.issuers().filter { $0.isElsewhere && $0.droppedAt == nil && !$0.isOff }.map { JSON.string($0.name) }
            return Report("Made a new token issuer in the place of the old one. Publish now; every token has to be issued anew."
                            + (others.isEmpty ? "" : " Tokens of issuers elsewhere count still: --off stops them."),
                          facts(handover) + [("stillBelieved", .array(others))])
        case "add": return try add(command, authority, now: now)
        case "remove":
            let name = try command.required("remove")
            try authority.removeIssuer(name: name, now: now)
            return Report("Gates are given the issuer no longer. Publish; until targets have signed it, --off stops its tokens.", [("issuer", .string(name))])
        case "off":
            let name = try command.required("off"), isNew = try authority.switchOff(issuer: name, now: now)
            return Report(isNew ? "No token of the issuer counts any more." : "It was off before.", [("issuer", .string(name)), ("new", .bool(isNew))])
                .then(try authority.whatGatesKnow(isNew: isNew))
        case "on":
            let name = try command.required("on")
            try authority.switchOn(issuer: name)
            return Report("Its tokens count again.", [("issuer", .string(name))]).then(try authority.whenGatesKnow)
        default:
            let dropped = try authority.dropOldIssuers(anyway: command.has("anyway"), now: now)
            return Report(dropped == 0 ? "There was nothing to drop." : "Gates are given the new issuer only. Publish.",
                          [("issuer", .string(authority.issuer)), ("dropped", .integer(Int64(dropped)))])
        }
    }

    private static func add(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let queue = command.value("queue")
        // Whoever publishes does so from elsewhere, by a timer.
        if let queue, !queue.hasPrefix("/") { throw CommandLineError.badValue(option: "queue", value: queue, wanted: "a whole path, from / on") }
        let added = try authority.addIssuer(name: command.required("add"), keyAt: command.required("key"), queue: queue, now: now)
        let next = added.ceiling == nil ? "It is not published before the rules say with [[issuer]] what its tokens may say." : "Publish."
        return Report("Took an issuer whose key is elsewhere. \(next)", [
            ("issuer", .string(added.name)), ("thumbprint", .string(Hex.encode(added.key.thumbprint))), ("queue", queue.map(JSON.string) ?? .null),
            ("ceiling", added.ceiling.map { .string($0.shownMessages) } ?? .null)
        ])
    }

    private static func facts(_ handover: IssuerHandover) -> [(String, JSON)] {
        [("issuer", .string(handover.issuer)), ("publicKey", .string(handover.publicPath)), ("safeFrom", text(handover.safeFrom)),
         ("tokens", JSON(handover.tokens))]
    }
}
