import Authority
import CommandLineOptions
import Credentials
import Encoding
import Files
import Glibc
import InvitationDesk
import InvitationServer
import Invitations
import QRCode
import Threads

/// `invite`: links for people, and what becomes of them.
struct InviteCommand {
    private let command: ParsedCommand
    private let desk: InvitationDesk
    private let now: Int64

    private static let changes = ["withdraw", "suspend", "resume", "revoke"]
    private static let ofNew = [
        "zone", "lane", "audience", "scope", "valid", "not-before", "expires", "open-for", "user-verified", "note", "from", "png", "svg", "mail"
    ]

    static func run(_ command: ParsedCommand, folder: String, _ clock: OfficeClock) throws -> CommandEnd {
        let kind = try (changes + ["list"]).contains(where: command.has) ? command.exactlyOne(of: changes + ["list"]) : nil
        if let kind { try command.refuse(ofNew + (kind == "list" ? [] : ["subject"]), beside: kind) }
        // Links and what is revoked are dated.
        if kind != "list" { try clock.check() }
        let invite = InviteCommand(command: command, desk: try InvitationDesk.open(folder: folder), now: clock.now)
        switch kind {
        case nil: return .written(try invite.new())
        case "list"?: return .written(try invite.list())
        case let change?: return .done(try invite.change(change))
        }
    }

    /// Whoever is at the keyboard, for the log.
    static var operatorName: String {
        let user = getenv("SUDO_USER").map { String(cString: $0) } ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) }
        return "\(user ?? "user \(getuid())") at the command line"
    }

    private func change(_ change: String) throws -> Report {
        let text = try command.required(change)
        guard let id = Int64(text), id > 0 else { throw CommandLineError.badValue(option: change, value: text, wanted: "the number of an invitation") }
        switch change {
        case "withdraw": try desk.withdraw(id, by: Self.operatorName, now: now)
        case "suspend": try desk.suspend(id, by: Self.operatorName, now: now)
        case "resume": try desk.resume(id, by: Self.operatorName, now: now)
        default: try desk.revoke(id, by: Self.operatorName, now: now)
        }
        let found = try desk.invitation(id)
        return Report("Changed an invitation.", found.facts)
            .then(change == "resume" ? "Its phone gets a token when it next asks." : "Gates know with the office's next publication that they take.")
    }

    private func list() throws -> ExitStatus {
        // Over a thousand are asked for in parts, so that nothing holds them all.
        var before: Int64?
        while true {
            let found = try desk.invitations(InvitationFilter(subject: command.value("subject")?.composed, before: before))
            for invitation in found { Report("Invitation \(invitation.id)", invitation.facts).write(asJSON: command.has("json")) }
            guard let last = found.last?.id, last > 1 else { return .success }
            before = last
        }
    }

    private func new() throws -> ExitStatus {
        if let path = command.value("from") {
            try command.refuse(["subject", "png", "svg"], beside: "from")
            return try several(InviteList.read(path, site: desk.settings.site, usual: wanted), path)
        }
        let subject = try command.required("subject")
        for option in ["png", "svg"] { if let path = command.value(option) { try Authority.checkPlace(of: path) } }
        var wanted = try wanted(notBefore: nil, expires: nil)
        wanted.subject = subject
        let (code, invitation) = try desk.invite(wanted, by: Self.operatorName, now: now)
        do {
            try write(desk.settings.link(code))
        } catch {
            // Nobody has seen its link.
            try desk.withdraw(invitation.id, by: Self.operatorName, now: now)
            throw error
        }
        show(code, invitation, withSymbol: true)
        return .success
    }

    private func several(_ wanted: [(line: Int, wanted: NewInvitation)], _ path: String) throws -> ExitStatus {
        for (line, one) in wanted {
            do throws(DeskError) { _ = try desk.checked(one, now: now) } catch {
                throw InviteListError(path, line: line, code: error.code, error.message)
            }
        }
        for (code, invitation) in try desk.invite(wanted.map(\.wanted), by: Self.operatorName, now: now) { show(code, invitation, withSymbol: false) }
        return .success
    }

    private func wanted(notBefore: Int64?, expires: Int64?) throws(CommandLineError) -> NewInvitation {
        if command.has("valid") { try command.refuse(["expires"], beside: "valid") }
        let given = (begins: try command.time("not-before"), ends: try command.time("expires"), seconds: try command.seconds("valid"))
        let begins = notBefore ?? given.begins
        guard let ends = expires ?? given.ends ?? given.seconds.map({ (begins ?? now) + $0 }) else { throw .oneOptionNeeded(["valid", "expires"]) }
        let places = (command.values("zone") + command.values("lane")).map { "\(Place.scheme)\(desk.settings.site)/\($0)" }
        for lane in command.values("lane") where !lane.contains("/") {
            throw .badValue(option: "lane", value: lane, wanted: "a lane with its zone such as hall/entry")
        }
        for zone in command.values("zone") where zone.contains("/") {
            throw .badValue(option: "zone", value: zone, wanted: "a zone; a lane in it is --lane")
        }
        return NewInvitation(
            subject: "", audiences: command.values("audience") + places,
            scope: command.value("scope").map { $0.split(separator: " ").map(String.init) } ?? ["tokn"], notBefore: begins, expires: ends,
            userVerified: command.has("user-verified"), opensFor: try command.seconds("open-for") ?? NewInvitation.usualOpensFor,
            note: command.value("note") ?? "")
    }

    /// Pictures of the link, for our eyes only.
    private func write(_ link: String) throws {
        guard let symbol = QRSymbol(link) else { return }
        do throws(SystemError) {
            if let path = command.value("png") { try SmallFile.replace(path, with: symbol.png, mode: 0o600) }
            if let path = command.value("svg") { try SmallFile.replace(path, with: Array((symbol.svg + "\n").utf8), mode: 0o600) }
        } catch {
            throw FileFault(error)
        }
    }

    private func show(_ code: InvitationCode, _ invitation: Invitation, withSymbol: Bool) {
        let link = desk.settings.link(code)
        if command.has("json") {
            StandardStream.output.write(.object(JSONObject([("link", .string(link))] + invitation.facts)))
        } else if command.has("mail") {
            // Not part of the text: whose link it is, where there are several.
            if command.has("from") { StandardStream.output.write(line: "# \(PrintedText.line(invitation.wanted.subject))") }
            for line in InvitationText(site: desk.settings.site, link: link, opensUntil: invitation.opensUntil).lines { StandardStream.output.write(line: line) }
        } else {
            Report("Invited \(invitation.wanted.subject). This link is shown once; whoever accepts it first has the access.", invitation.facts)
                .write(asJSON: false)
            if withSymbol { for line in QRSymbol(link)?.terminalLines ?? [] { StandardStream.output.write(line: line) } }
            StandardStream.output.write(line: link)
        }
    }
}

extension Invitation {
    /// What is told of it: never the code, which is not known here.
    var facts: [(String, JSON)] {
        [("id", JSON(id)), ("subject", .string(wanted.subject)), ("state", .string(state.name.rawValue)),
         ("audience", .array(wanted.audiences.map(JSON.string))), ("scope", .array(wanted.scope.map(JSON.string))),
         ("notBefore", text(wanted.notBefore)), ("expires", text(wanted.expires)), ("opensUntil", text(opensUntil)),
         ("userVerified", JSON(state.use?.userVerified ?? wanted.userVerified)), ("madeBy", .string(madeBy)), ("madeAt", text(madeAt)),
         ("redeemedAt", text(state.use?.at)), ("note", wanted.note.isEmpty ? .null : .string(wanted.note))]
    }
}
