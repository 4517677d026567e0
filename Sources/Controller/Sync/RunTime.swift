import Credentials
import Service
import SiteData
import Vocabulary

/// The time by which a run judges what others have signed. Read once.
struct RunTime: Equatable, Sendable {
    /// What had expired then counts no more, UNIX seconds. Where nobody vouches for the clock no signed date is in it: a thief's, years ahead, would have
    /// everything expire that takes it back.
    let startedAt: Int64
    /// By what the dates are judged at which files were signed.
    let dates: SigningDates

    init(startedAt: Int64, dates: SigningDates) {
        self.startedAt = startedAt
        self.dates = dates
    }

    init(_ clock: SystemClock) {
        let now = clock.now()
        if let latest = now.reading.latestDate {
            self.init(startedAt: now.seconds, dates: .notAfter(latest))
        } else {
            self.init(startedAt: clock.ownMilliseconds / 1000, dates: .sureOf(max(now.seconds, clock.floorMilliseconds / 1000)))
        }
    }
}
