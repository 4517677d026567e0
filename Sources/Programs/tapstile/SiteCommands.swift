import CommandLineOptions
import Configuration
import Encoding
import SiteFile

/// The command that looks at a site's file and needs no running gate.
enum SiteCommands {
    /// Where the site's file lies on a gate without an authority.
    static let standardPath = "/etc/tapstile/site.toml"

    /// Says everything that is wrong, each with its place. Lanes are those of the gate's configuration, if there is one.
    static func check(path given: String?, configuration: String?, json: Bool) -> ExitStatus {
        let loaded: GateConfiguration?
        do throws(InvalidConfiguration) {
            loaded = try gate(configuration)
        } catch {
            for issue in error.issues { ConfigurationCommands.tell(issue, json) }
            return .failure
        }
        let path = given ?? loaded?.trust.siteFile ?? standardPath
        return check(path, loaded.map { SiteFileContext($0) } ?? SiteFileContext(hasPeople: true), json)
    }

    /// A configuration that somebody names must be right; the usual one need not be there.
    private static func gate(_ path: String?) throws(InvalidConfiguration) -> GateConfiguration? {
        if let path { return try ConfigurationFile.load(path: path, checkingFiles: false).configuration }
        return try? ConfigurationFile.load(path: ConfigurationCommands.standardPath, checkingFiles: false).configuration
    }

    private static func check(_ path: String, _ context: SiteFileContext, _ json: Bool) -> ExitStatus {
        do throws(InvalidSiteFile) {
            let site = try SiteFile.load(path: path, in: context)
            for issue in site.warnings { ConfigurationCommands.tell(issue, json) }
            if json {
                StandardStream.output.write([
                    "file": .string(path), "errors": 0, "warnings": .integer(Int64(site.warnings.count)),
                    "people": .integer(Int64(site.people.count)), "rules": .integer(Int64(site.rules.records.count)),
                    "memberships": .integer(Int64(site.memberships.count))
                ])
            } else {
                StandardStream.output.write(line: "\(path): in order")
            }
            return .success
        } catch {
            for issue in error.issues { ConfigurationCommands.tell(issue, json) }
            if !json { StandardStream.error.write(line: "tapstile: \(error.code): \(error.message)") }
            return .failure
        }
    }
}
