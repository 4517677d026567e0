import Authority
import CommandLineOptions
import Credentials
import Encoding

enum TokenCommand {
    private static let usualSeconds: Int64 = 30 * 86400

    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let rights = try command.rights(now: now, defaultSeconds: usualSeconds)
        if command.has("clock-skew") { try command.refuse(["not-before"], beside: "clock-skew") }
        let phone = try Authority.phoneKey(at: command.required("key"))
        let token = try authority.issue(
            TokenRequest(key: phone.key, use: phone.use(orElse: command.use()), subject: command.required("subject"), rights: rights,
                         userVerification: command.has("user-verified"),
                         clockSkew: command.seconds("clock-skew") ?? TokenRequest.usualClockSkew), now: now)
        let path = try command.value("out") ?? authority.defaultPath(for: token)
        try Authority.write(token.raw, to: path)
        let alike = try authority.warnings(ofNamesLike: token.subject)
        return Report("Issued a token.", [
            ("file", .string(path)), ("identifier", .string(token.identifier.description)), ("issuer", .string(token.issuer)),
            ("cti", .string(Hex.encode(token.identifierClaim))), ("subject", .string(token.subject)),
            ("audience", .array(token.audiences.map(JSON.string))), ("scope", .array(token.scope.map(JSON.string))),
            ("notBefore", text(token.notBefore)), ("expires", text(token.expiresAt)),
            ("userVerified", .bool(token.userVerification)), ("bytes", JSON(token.raw.count)),
            ("warnings", ShownSome(authority.warnings(of: rights, now: now).map(\.description) + alike).json)
        ])
    }
}
