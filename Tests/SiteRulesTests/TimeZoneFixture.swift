import Foundation
import SiteRules
import Testing

/// Zones of the system's tz database (Debian: tzdata), which a gate has too.
enum TimeZoneFixture {
    static func zone(_ name: String) throws -> TimeZoneData {
        let file = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/" + name), "apt install tzdata")
        return try TimeZoneData(tzif: Array(file))
    }
}
