import Authority
import CommandLineOptions
import Encoding

/// `rotate ROLE` and `new-epoch`.
enum RotateCommand {
    static func rotate(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> CommandEnd {
        let role = try CeremonyCommands.role(command.operand(0) ?? "")
        var rotation = Authority.Rotation()
        rotation.added = try command.values("add").map { path throws(AuthorityError) in try Authority.roleKey(role, at: path) }
        rotation.removed = try command.values("remove").map { text throws(AuthorityError) in
            // A file's name has a dot or a slash; an identifier is hexadecimal.
            try text.allSatisfy(\.isHexDigit) ? text : Authority.roleKey(role, at: text).metadataIdentifier
        }
        rotation.dropsOld = command.has("drop")
        rotation.threshold = try command.integer("threshold", in: 1...256)
        rotation.validSeconds = try command.seconds("valid")
        let published = try authority.rotate(role, rotation, now: now)
        return try end("The keys of \(role.rawValue) are changed", signedBy: role.delegator, published, authority)
    }

    static func newEpoch(_ authority: Authority, now: Int64) throws -> CommandEnd {
        try end("A new epoch begins", signedBy: .targets, authority.beginEpoch(now: now), authority)
    }

    private static func end(
        _ what: String, signedBy role: RepositoryRole, _ published: PublishedRepository?, _ authority: Authority
    ) throws -> CommandEnd {
        if let published { return .published(published, "\(what), and it was published.") }
        let keys = try authority.roleKeys().filter { $0.until == nil }
        return .done(Report("\(what), when it is signed: 'draft \(role.rawValue)', 'sign', 'accept'.", [
            ("draft", .string(role.rawValue)), ("keys", .array(keys.map(\.json)))
        ]))
    }
}
