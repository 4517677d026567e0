import Site
import Storage
import Threads

extension Controller {
    /// Says that the site data have become old, or too old for tokens: once each time they do.
    func reportSiteDataAge() {
        let publication = parts.trust.status.publication
        let age = SiteDataAge(of: publication, issued: publication.map(parts.age.issued), now: parts.clock.now().seconds,
                              renewal: publication.flatMap(parts.age.renewal),
                              served: parts.age.served(at: MonotonicTime.milliseconds) / 1000, layout.withLock { $0 }.configuration.trust)
        for lane in layout.withLock({ $0.lanes }).values { lane.setDegraded(.siteData, age.code != nil) }
        let isNews = reportedAge.withLock { told in
            defer { told = age.code }
            return told != age.code
        }
        if isNews, let code = age.code { parts.logs.log("trust").warning("\(code): \(age.message)") }
    }

    /// Data that somebody signed have been verified: they are as old as that from here on, if they are newer than those before.
    func siteDataVerified(_ mark: TrustMark, renewal: Int64? = nil) {
        parts.age.verified(mark, at: MonotonicTime.milliseconds, clock: parts.clock.now().seconds, renewal: renewal)
        keepSiteDataAge()
        reportSiteDataAge()
    }

    /// Keeps the hours of service on the disk.
    func keepSiteDataAge() {
        logAgeFailure { () throws(StorageError) in try parts.age.save(at: MonotonicTime.milliseconds) }
    }

    /// The same at an orderly end.
    func endSiteDataAge() {
        logAgeFailure { () throws(StorageError) in try parts.age.end(at: MonotonicTime.milliseconds) }
    }

    /// A gate goes on without the file, and says so once.
    private func logAgeFailure(_ write: () throws(StorageError) -> Void) {
        var failure: String?
        do throws(StorageError) {
            try write()
        } catch {
            failure = error.message
        }
        let isNews = loggedAgeFailure.withLock { told in
            defer { told = failure }
            return told != failure
        }
        if isNews, let failure { parts.logs.log("trust").warning("trust-age-unwritten: \(failure)") }
    }
}
