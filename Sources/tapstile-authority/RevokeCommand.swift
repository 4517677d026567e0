import Authority
import CommandLineOptions
import Credentials
import Encoding

enum RevokeCommand {
    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let revocation = try revocation(command)
        let isNew = try authority.revoke(revocation, now: now)
        return Report(isNew ? "Revoked." : "It was revoked before.",
                      revocation.facts + [("new", .bool(isNew))])
    }

    private static func revocation(_ command: ParsedCommand) throws -> Revocation {
        let option = try command.exactlyOne(of: ["token", "issued", "subject", "key"])
        let given = try command.required(option)
        switch option {
        case "token":
            if let identifier = digest(given).flatMap(TokenIdentifier.init) { return .token(identifier) }
            return .token(try token(at: given).identifier)
        case "issued": return try issued(given)
        case "subject": return .subject(given)
        default:
            if let thumbprint = digest(given) { return .key(thumbprint: thumbprint) }
            return .key(thumbprint: try Authority.phoneKey(at: given).key.thumbprint)
        }
    }

    private static func token(at path: String) throws(AuthorityError) -> Token {
        let bytes = try Authority.bytes(at: path)
        do throws(TokenError) { return try Token(parsingWithAnyNames: bytes) } catch { throw .token(error) }
    }

    /// The name of an issuer may have colons; a number has none.
    private static func issued(_ given: String) throws(CommandLineError) -> Revocation {
        guard let colon = given.lastIndex(of: ":"), colon != given.startIndex,
              let cti = try? Hex.decode(String(given[given.index(after: colon)...])), (1...64).contains(cti.count) else {
            throw .badValue(option: "issued", value: given, wanted: "ISSUER:CTI with the number in hexadecimal")
        }
        return .issued(issuer: String(given[..<colon]), cti: cti)
    }
}
