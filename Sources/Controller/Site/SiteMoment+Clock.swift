import Credentials
import Service
import SiteRules

extension SiteMoment {
    /// A time that nobody vouches for is no time that schedules can be judged at.
    init(_ clock: ClockReading) {
        switch clock.trust {
        case .synchronised, .holdover: self = .known(clock.seconds)
        case .untrusted: self = .unknown
        }
    }
}
