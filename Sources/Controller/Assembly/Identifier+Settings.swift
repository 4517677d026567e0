import Configuration
import Credentials
import Service
import Storage

extension Identifier {
    /// Finds out who stands at a lane, by the site data in `trust`. Data that cannot be read answer
    /// like none: nothing is granted.
    init(_ configuration: GateConfiguration, lane: LaneSettings, trust: TrustStore, tokens: KnownTokens, log: Log) {
        self.init(
            place: Place(site: configuration.site.identifier, zone: lane.zone, lane: lane.name),
            policy: VerificationPolicy(tokensRefusedAfter: Int64(configuration.trust.refuseAfterDays) * 86400),
            enrolledNeedClock: configuration.clock.whenUntrusted == .deny,
            known: { tokens.token(named: $0) },
            ask: { question in
                do throws(StorageError) {
                    return try trust.answer(question)
                } catch {
                    log.error("\(error.code): \(error.message)")
                    return .absent
                }
            })
    }
}
