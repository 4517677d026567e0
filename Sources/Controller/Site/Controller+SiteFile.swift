import Configuration
import ControlProtocol
import Credentials
import Encoding
import SiteFile
import Storage
import Threads

/// The site's own file on a gate without an authority: read at the start and with each reload, made into site data by what builds
/// those of a publication.
extension Controller {
    /// Takes what the file says at the start. Where it cannot be used, the gate goes on with what it made of it last.
    func takeSiteFileAtStart(_ configuration: GateConfiguration) {
        guard let own = OwnSiteFile(configuration) else { return }
        do throws(ControlError) {
            _ = try use(try read(own), of: own)
        } catch {
            parts.logs.log("trust").error(error)
        }
    }

    /// Reads the file that a configuration names; nil where it names none. Nothing is changed.
    func readSiteFile(of configuration: GateConfiguration) throws(ControlError) -> (own: OwnSiteFile, site: LoadedSite)? {
        guard let own = OwnSiteFile(configuration) else { return nil }
        return (own, try read(own))
    }

    private func read(_ own: OwnSiteFile) throws(ControlError) -> LoadedSite {
        do throws(InvalidSiteFile) {
            // A hundred thousand members and schedules of many years take longer than a loop may work for itself.
            return try Loop.outside(Self.importing) {
                BackgroundWork.run(name: "site-file") { Result { () throws(InvalidSiteFile) in try own.read() } }
            }.get()
        } catch {
            let told = "\(error.message) The site data in use stay: sudo tapstile check-site names every mistake."
            throw refuse(code: error.code, message: told, details: error.issues.map(\.description))
        }
    }

    /// Uses what the file says from now on. The answer is the version if it is a new one.
    func use(_ site: LoadedSite, of own: OwnSiteFile) throws(ControlError) -> UInt64? {
        let applied: TrustPublication?
        do throws(ImportError) {
            applied = try Loop.outside(Self.importing) {
                BackgroundWork.run(name: "site-file") { [parts] in
                    Result { () throws(ImportError) in
                        try parts.trust.apply(siteFile: site.records, site: own.site, clock: ClockReading(parts.clock.now()))
                    }
                }
            }.get()
        } catch {
            throw refuse(code: error.code, message: error.message)
        }
        parts.siteFile.problem = nil
        for warning in site.warnings { parts.logs.log("trust").warning(warning.description) }
        guard let applied else { return nil }
        siteDataApplied(applied)
        return applied.version
    }

    /// Status says it too, without the list of mistakes.
    private func refuse(code: String, message: String, details: [String] = []) -> ControlError {
        record(.trust, "refused", reason: code, detail: ["origin": .text(SiteDataOrigin.siteFile.word)])
        parts.siteFile.problem = SiteFileState.Problem(code: code, message: message)
        return ControlError(code: code, message: message, details: details)
    }
}

extension SiteDataOrigin {
    /// For journal, events and status.
    var word: String {
        switch self {
        case .publication: "publication"
        case .siteFile: "site-file"
        case .repository: "repository"
        }
    }

    /// Where the site data of a configuration come from.
    init(_ source: SiteDataSource) {
        self = switch source {
        case .repository: .repository
        case .siteFile: .siteFile
        }
    }
}

/// The site's own file on a gate without an authority.
struct OwnSiteFile: Sendable {
    /// Where it lies.
    let path: String
    /// The gate's site.
    let site: String
    private let context: SiteFileContext

    /// Nil where an authority signs the site data.
    init?(_ configuration: GateConfiguration) {
        guard let path = configuration.trust.siteFile else { return nil }
        self.path = path
        site = configuration.site.identifier
        context = SiteFileContext(configuration)
    }

    /// What it says, checked as a whole.
    func read() throws(InvalidSiteFile) -> LoadedSite { try SiteFile.load(path: path, in: context) }
}

/// Why the site's own file is not what the gate goes by, as `status` says it.
final class SiteFileState: Sendable {
    /// A code and a sentence with the remedy.
    struct Problem: Equatable, Sendable {
        let code: String
        let message: String
    }

    private let current = Mutex<Problem?>(nil)

    /// Nil while the file is in use, and on gates that have none.
    var problem: Problem? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
