import Authority
import CLinux
import CommandLineOptions
import Encoding
import Glibc
import InvitationDesk
import InvitationServer
import Service
import Threads

/// `serve`: the server of invitations, its making and its operators.
enum ServeCommand {
    private static let ofInit = ["site", "issuer", "url", "listen", "certificate", "key", "gates", "operator-url", "operator-listen"]
    private static let ofOperator = ["name", "remove"]

    static func run(_ command: ParsedCommand, folder: String, _ clock: OfficeClock) throws -> CommandEnd {
        let what = command.operand(0)
        if what != "init", let other = ofInit.first(where: command.has) { throw CommandLineError.unknownOption(other, known: []) }
        if what != "operator", let other = ofOperator.first(where: command.has) { throw CommandLineError.unknownOption(other, known: []) }
        switch what {
        case nil: return .written(try serve(folder, clock))
        case "init"?: return .done(try make(command, folder, now: clock.now))
        case "operator"?: return .done(try setOperator(command, folder, now: clock.now))
        case "check"?: return .done(try check(folder))
        case let other?: throw CommandLineError.operandNotWanted(other)
        }
    }

    private static func make(_ command: ParsedCommand, _ folder: String, now: Int64) throws -> Report {
        let new = NewDesk(
            site: try command.required("site"), issuer: try command.required("issuer"), url: try command.required("url"),
            listen: command.value("listen") ?? usualPlace(folder), certificate: command.value("certificate"),
            key: command.value("key"), gates: command.value("gates") ?? "gates.phone", operatorURL: command.value("operator-url"),
            operatorListen: command.value("operator-listen"))
        if command.has("operator-url") != command.has("operator-listen") {
            throw CommandLineError.optionMissing(command.has("operator-url") ? "operator-listen" : "operator-url")
        }
        try InvitationDesk.make(folder: folder, new, now: now)
        return Report("Made a server of invitations.", [
            ("site", .string(new.site)), ("issuer", .string(new.issuer)), ("folder", .string(folder)), ("settings", .string("\(folder)/settings.toml")),
            ("publicKey", .string("\(folder)/issuer.pub")), ("queue", .string("\(folder)/queue/revoked.json"))
        ]).then("At the office: tapstile-authority issuer --add \(new.issuer) --key issuer.pub, and a table [[issuer]] in its rules.")
    }

    /// Where the unit of that name makes a folder for it.
    private static func usualPlace(_ folder: String) -> String {
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        return "unix:/run/tapstile-invitations/\(name)/visitors.sock"
    }

    private static func setOperator(_ command: ParsedCommand, _ folder: String, now: Int64) throws -> Report {
        let name = try command.required("name")
        let desk = try InvitationDesk.open(folder: folder)
        if command.has("remove") {
            try desk.removeOperator(name: name, by: InviteCommand.operatorName, now: now)
            return Report("Removed an operator.", [("name", .string(name))])
        }
        try desk.setPassword(name: name, password: password(), by: InviteCommand.operatorName, now: now)
        return Report("Set an operator's password.", [("name", .string(name))])
    }

    /// One line of standard input; at a terminal nobody sees it.
    private static func password() -> String {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
        var before = termios()
        tcgetattr(STDIN_FILENO, &before)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        StandardStream.error.write(line: "Password (12 characters at least):")
        return readLine() ?? ""
    }

    private static func check(_ folder: String) throws -> Report {
        let settings = try InvitationService.check(folder: folder)
        return Report("The server of invitations can be used.", [("site", .string(settings.site)), ("issuer", .string(settings.issuer)), ("url", .string(settings.url))])
    }

    // At work -----------------------------------------------------------------------------------------

    /// Until SIGTERM or SIGINT.
    private static func serve(_ folder: String, _ clock: OfficeClock) throws -> ExitStatus {
        SignalWatch.blockSignals()
        ProcessHeap.share()
        try clock.check()
        let output = try LogOutput()
        defer { output.stop() }
        let log = output.log("invitations")
        let service = try InvitationService(folder: folder, clock: { now() }, log: log)
        let isOver = Monitor(false)
        let watch = try SignalWatch(onFailure: { _ in isOver.change { $0 = true } }, { signal in
            switch signal {
            case .stop: isOver.change { $0 = true }
            case .reload: reload(service, log)
            }
        })
        Notify.ready(status: service.status)
        log.notice(service.status)
        keepHouse(service, log, until: isOver)
        Notify.stopping()
        watch.stop()
        service.stop()
        log.notice("Ended.")
        return .success
    }

    private static func reload(_ service: InvitationService, _ log: Log) {
        Notify.reloading()
        let wrong = service.reload()
        for error in wrong { log.error("\(error.code): \(error.message)") }
        if wrong.isEmpty { log.notice("Certificates and page were read again.") }
        Notify.ready(status: service.status)
    }

    private static let round: Int64 = 600 * 1_000_000_000

    /// Every ten minutes tokens that have ended leave the office's queue. Once a day somebody is told of certificates that end.
    private static func keepHouse(_ service: InvitationService, _ log: Log, until isOver: Monitor<Bool>) {
        var nextLook: Int64 = 0
        repeat {
            guard let now = now() else { log.warning("Nobody answers for this machine's clock: no token is issued."); continue }
            do throws(DeskError) { try service.desk.writeQueue(now: now) } catch { log.error("\(error.code): \(error.message)") }
            guard now >= nextLook else { continue }
            for sentence in service.endingCertificates(now: now) { log.warning("certificate-ends: \(sentence)") }
            nextLook = now + 86_400
        } while isOver.wait(untilNanoseconds: MonotonicTime.nanoseconds + round, { $0 ? () : nil }) == nil
    }

    /// UNIX seconds; nil while nobody answers for the clock.
    private static func now() -> Int64? {
        let clock = OfficeClock.machine(isChecked: false)
        do throws(AuthorityError) { try clock.check() } catch { return nil }
        return clock.now
    }
}
