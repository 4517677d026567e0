import Configuration
import ControlProtocol
import Credentials
import Encoding
import Site
import SiteFile
import Storage
import Threads

/// The site's own file on a gate without an authority: read at the start and with each reload, made into site data by what builds
/// those of a publication.
extension Controller {
    /// Takes what the file says at the start. Where it cannot be used, the gate goes on with what it made of it last.
    func readSiteFileAtStart(_ configuration: GateConfiguration) {
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
            return try SiteDataImport.run("site-file") { () throws(InvalidSiteFile) in try own.read() }
        } catch {
            let told = "\(error.message) The site data in use stay: sudo tapstile check-site names every mistake."
            throw refuse(code: error.code, message: told, details: error.issues.map(\.description))
        }
    }

    /// Uses what the file says from now on. The answer is the version if it is a new one.
    func use(_ site: LoadedSite, of own: OwnSiteFile) throws(ControlError) -> UInt64? {
        let applied: TrustPublication?
        do throws(ImportError) {
            applied = try SiteDataImport.run("site-file") { [parts] () throws(ImportError) in
                try parts.trust.apply(siteFile: site.records, site: own.site, clock: parts.clock.now().reading)
            }
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
        parts.recorder.record(.trust, "refused", reason: code, detail: ["origin": .text(SiteDataOrigin.siteFile.word)])
        parts.siteFile.problem = SiteFileState.Problem(code: code, message: message)
        return ControlError(code: code, message: message, details: details)
    }
}
