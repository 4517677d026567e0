import Authority
import CommandLineOptions
import Credentials
import Encoding

enum RevokeCommand {
    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let revocation = try revocation(command, authority)
        let isNew = try authority.revoke(revocation, now: now)
        return Report(isNew ? "Revoked." : "It was revoked before.",
                      revocation.facts + [("new", .bool(isNew))]).then(try authority.whenGatesKnow)
    }

    /// What is named, if anybody has it or the person insists.
    private static func revocation(_ command: ParsedCommand, _ authority: Authority) throws -> Revocation {
        let option = try command.exactlyOne(of: ["token", "issued", "key"])
        let given = try command.required(option)
        if option == "token", digest(given) == nil {
            let token = try token(at: given)
            if !command.has("anyway") { try authority.refuseUnknown(token) }
            return .token(token.identifier)
        }
        let revocation: Revocation = switch option {
        case "token": try named(given)
        case "issued": try issued(given)
        default: .key(thumbprint: try command.thumbprint("key") ?? [])
        }
        if !command.has("anyway") { try authority.refuseUnknown(revocation) }
        return revocation
    }

    private static func named(_ given: String) throws(CommandLineError) -> Revocation {
        guard let identifier = digest(given).flatMap(TokenIdentifier.init) else {
            throw .badValue(option: "token", value: given, wanted: "an identifier of 64 hexadecimal digits")
        }
        return .token(identifier)
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
