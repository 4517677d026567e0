import Credentials
import Vocabulary

extension ClockReading {
    /// The latest moment at which anything can have been signed, whoever signed it, UNIX seconds; nil: nobody vouches for this clock.
    public var latestDate: Int64? {
        let allowance: Int64? = switch trust {
        case .synchronised: SitePublication.longestIssuedAhead
        // A clock that runs on by itself is wrong by 200 parts per million at worst.
        case .holdover(let age): SitePublication.longestIssuedAhead + max(0, age) / 5000
        case .untrusted: nil
        }
        return allowance.map { allowance in
            let (latest, overflow) = seconds.addingReportingOverflow(allowance)
            return overflow ? .max : latest
        }
    }
}
