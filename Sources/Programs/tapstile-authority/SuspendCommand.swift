import Authority
import CommandLineOptions
import Encoding

/// `suspend --subject NAME` and `resume --subject NAME`.
enum SuspendCommand {
    static func suspend(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let subject = try command.required("subject")
        if !command.has("anyway") { try authority.refuseUnknown(.suspended(subject)) }
        let isNew = try authority.suspend(subject: subject, now: now)
        let alike = try authority.factsOfNames(like: subject)
        return Report(isNew ? "Suspended." : "It was suspended before.", [("subject", .string(subject)), ("new", .bool(isNew))] + alike)
            .then(try authority.whatGatesKnow(isNew: isNew))
    }

    static func resume(_ command: ParsedCommand, _ authority: Authority) throws -> Report {
        let subject = try command.required("subject")
        try authority.resume(subject: subject)
        let alike = try authority.factsOfNames(like: subject)
        return Report("Resumed.", [("subject", .string(subject))] + alike).then(try authority.whenGatesKnow)
    }
}
