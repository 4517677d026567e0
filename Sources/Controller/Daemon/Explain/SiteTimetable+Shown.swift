import Encoding
import SiteRules

extension SiteTimetable {
    /// A UNIX second as people are told it: in UTC, and as the site's clock shows it where that is another time.
    func shown(_ seconds: Int64) -> String {
        let time = UTCText.make(seconds: seconds)
        guard let timeZone, timeZone.offset(at: seconds) != 0 else { return time }
        return "\(time) (\(Self.clock(timeZone, at: seconds)) at the site)"
    }

    /// Date and time of day on the clock of a zone: `2026-01-31 18:03`.
    static func clock(_ zone: TimeZoneData, at seconds: Int64) -> String {
        let shown = UTCText.make(seconds: zone.clock(at: seconds))
        return shown.prefix(16).split(separator: "T").joined(separator: " ")
    }
}
