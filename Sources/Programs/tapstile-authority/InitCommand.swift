import Authority
import CommandLineOptions
import Encoding

enum InitCommand {
    static func run(_ command: ParsedCommand, folder: String, now: Int64) throws -> Report {
        let site = try command.required("site")
        let authority = try Authority.make(inFolder: folder, site: site, issuer: command.value("issuer") ?? site,
                                           gateIssuer: command.value("gate-issuer"), now: now)
        return Report("Made an authority.", [
            ("site", .string(authority.site)), ("issuer", .string(authority.issuer)), ("folder", .string(folder)),
            ("siteKey", .string(authority.sitePublicKeyPath))
        ])
    }
}
