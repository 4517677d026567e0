import Configuration
import Credentials
import Service
import Site
import Storage
import Threads

extension TrustSettings {
    /// The age in seconds from which on site data refuse tokens. A site's own file is what the installer says today, however
    /// long it has not been changed.
    var tokensRefusedAfter: Int64 {
        switch source {
        case .repository: Int64(refuseAfterDays) * 86400
        case .siteFile: .max
        }
    }
}

extension Identifier {
    /// Finds out who stands at a lane, by the site data in `trust`. Data that cannot be read answer
    /// like none: nothing is granted.
    package init(_ configuration: GateConfiguration, lane: LaneSettings, trust: TrustStore, age: TrustAge, hours: SiteHours, tokens: KnownTokens,
                 log: Log) {
        let repository = configuration.trust.root.map { _ in configuration.site.identifier }
        self.init(
            place: Place(site: configuration.site.identifier, zone: lane.zone, lane: lane.name),
            policy: VerificationPolicy(tokensRefusedAfter: configuration.trust.tokensRefusedAfter),
            enrolledNeedClock: configuration.clock.whenUntrusted == .deny,
            isInForce: { hours.isInForce($0, $1, in: $2) },
            known: { tokens.token(named: $0) },
            ask: { question in
                do throws(StorageError) {
                    var answer = try trust.answer(question)
                    if let repository { answer.publicationIssuedAt = answer.publicationIssuedAt.map { age.issued($0, ofRepository: repository) } }
                    answer.servedSeconds = age.served(at: MonotonicTime.milliseconds) / 1000
                    return answer
                } catch {
                    log.error("\(error.code): \(error.message)")
                    return .absent
                }
            })
    }
}
