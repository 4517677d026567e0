import SiteRules
import Testing

/// TZif files as RFC 9636 has them, and as it does not.
@Suite struct TimeZoneFileTests {
    /// The parts of a file of version 2 or later; each test changes one.
    struct File {
        var version: UInt8 = 0x33
        /// isutcnt, isstdcnt, leapcnt, timecnt, typecnt, charcnt.
        var counts: [UInt8] = [0, 0, 0, 2, 2, 8]
        var times: [Int64] = [1000, 2000]
        var types: [UInt8] = [1, 0]
        /// Offset, daylight, index of the name.
        var offsets: [(Int32, UInt8, UInt8)] = [(3600, 0, 0), (7200, 1, 4)]
        var names: [UInt8] = Array("CET\0CES\0".utf8)
        var footer = "CET-1CEST,M3.5.0,M10.5.0/3"
        var rest: [UInt8] = []

        func header(_ counts: [UInt8]) -> [UInt8] {
            Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15) + counts.flatMap { [0, 0, 0, $0] }
        }

        func block(timeLength: Int) -> [UInt8] {
            let times = times.flatMap { time in stride(from: 8 * (timeLength - 1), through: 0, by: -8).map { UInt8(truncatingIfNeeded: time >> Int64($0)) } }
            let offsets = offsets.flatMap { offset, daylight, name in
                stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: offset >> Int32($0)) } + [daylight, name]
            }
            return header(counts) + times + types + offsets + names
        }

        var bytes: [UInt8] {
            header([0, 0, 0, 0, 0, 0]) + block(timeLength: 8) + Array("\n\(footer)\n".utf8) + rest
        }
    }

    static func code(_ change: (inout File) -> Void) -> TimeZoneDataError? {
        var file = File()
        change(&file)
        do throws(TimeZoneDataError) {
            _ = try TimeZoneData(tzif: file.bytes)
            return nil
        } catch {
            return error
        }
    }

    static func zone(_ footer: String) throws -> TimeZoneData {
        var file = File()
        file.footer = footer
        return try TimeZoneData(tzif: file.bytes)
    }

    @Test func theFirstTypeCountsBeforeTheFirstChangeAndTheFooterAfterTheLast() throws {
        let zone = try TimeZoneData(tzif: File().bytes)
        #expect([999, 1000, 1999, 2000].map { zone.offset(at: $0) } == [3600, 7200, 7200, 3600])
        // 29 March 1970, 01:00 UTC.
        #expect(zone.transition(after: 2000)?.at == (try TimeZoneDataTests.seconds("1970-03-29T01:00:00Z")))
        #expect(zone.offset(at: 4_000_000_000) == zone.offset(at: 4_000_000_000 - 1))
    }

    @Test func versionOneHasNoFooter() throws {
        var file = File()
        file.version = 0
        let zone = try TimeZoneData(tzif: file.block(timeLength: 4))
        #expect(zone.transition(after: 2000) == nil)
        #expect(zone.offset(at: 1500) == 7200)
        #expect(throws: TimeZoneDataError.trailingBytes) { try TimeZoneData(tzif: file.block(timeLength: 4) + [0]) }
    }

    @Test func withoutAFooterNothingChangesAnyMore() throws {
        let zone = try Self.zone("")
        #expect(zone.transition(after: 2000) == nil)
        #expect(zone.offset(at: 9_000_000_000) == 3600)
    }

    @Test func damageIsNamed() {
        #expect(Self.code { _ in } == nil)
        #expect(Self.code { $0.version = 0x35 } == .notZoneData)
        #expect(Self.code { $0.version = 0x31 } == .notZoneData)
        #expect(Self.code { $0.rest = [0x0A] } == .trailingBytes)
        #expect(Self.code { $0.counts[3] = 200 } == .truncated)
        #expect(Self.code { $0.counts[4] = 0; $0.offsets = [] } == .badCount)
        #expect(Self.code { $0.counts[5] = 0; $0.names = [] } == .badCount)
        #expect(Self.code { $0.counts[0] = 1; $0.names.append(0) } == .badCount)
        #expect(Self.code { $0.types[0] = 2 } == .badCount)
        #expect(Self.code { $0.offsets[1].1 = 2 } == .badCount)
        #expect(Self.code { $0.offsets[1].2 = 8 } == .badCount)
        #expect(Self.code { $0.offsets[1].0 = 93_600 } == .badOffset)
        #expect(Self.code { $0.offsets[1].0 = -90_000 } == .badOffset)
        #expect(Self.code { $0.times = [2000, 2000] } == .unordered)
        #expect(Self.code { $0.counts[2] = 1; $0.names += [UInt8](repeating: 0, count: 12) } == .leapSeconds)
        #expect(Self.code { $0.footer = "CET" } == .badFooter)
        #expect(throws: TimeZoneDataError.tooLarge) { try TimeZoneData(tzif: [UInt8](repeating: 0, count: TimeZoneData.largestFile + 1)) }
        #expect(throws: TimeZoneDataError.notZoneData) { try TimeZoneData(tzif: Array("TZxx".utf8) + File().bytes.dropFirst(4)) }
    }

    @Test func aFileThatEndsEarlyIsRefusedWhereverItEnds() {
        let bytes = File().bytes
        for length in bytes.indices {
            #expect(throws: TimeZoneDataError.self, "\(length)") { try TimeZoneData(tzif: Array(bytes[..<length])) }
        }
    }

    @Test func timesBeforeAllTimesAreOneBeginning() throws {
        // Older files begin with the big bang.
        var file = File()
        file.times = [-(1 << 59), 2000]
        let zone = try TimeZoneData(tzif: file.bytes)
        #expect(zone.offset(at: .min) == 7200)
        #expect(zone.offset(at: 2000) == 3600)
    }

    @Test func footersThatAreNoneAreRefused() {
        for footer in ["CET-1CEST", "CE-1", "CET", "CET-25", "CET-1:60", "CET-1:00:60", "<CET-1", "<C>-1", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
                       "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.0.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J300", "CET-1CEST,J366,J300",
                       "CET-1CEST,366,300", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0x", "CET--1", "CET+", "CET-1CEST,M3.5.0/,M10.5.0"] {
            #expect(Self.code { $0.footer = footer } == .badFooter, "\(footer)")
        }
    }

    @Test func footersOfAllKindsAreFollowed() throws {
        let seconds = TimeZoneDataTests.seconds
        // Julian days never count 29 February; ordinal days do.
        let julian = try Self.zone("AAA0BBB,J60/0,J300/0")
        #expect(julian.transition(after: try seconds("2024-01-01T00:00:00Z"))?.at == (try seconds("2024-03-01T00:00:00Z")))
        #expect(julian.transition(after: try seconds("2023-01-01T00:00:00Z"))?.at == (try seconds("2023-03-01T00:00:00Z")))
        let ordinal = try Self.zone("AAA0BBB,59/0,300/0")
        #expect(ordinal.transition(after: try seconds("2024-01-01T00:00:00Z"))?.at == (try seconds("2024-02-29T00:00:00Z")))
        #expect(ordinal.transition(after: try seconds("2023-01-01T00:00:00Z"))?.at == (try seconds("2023-03-01T00:00:00Z")))
        // Ireland: winter time is the one that is set apart, an hour behind (negative daylight saving).
        let dublin = try Self.zone("IST-1GMT0,M10.5.0,M3.5.0/1")
        #expect(dublin.offset(at: try seconds("2026-07-01T00:00:00Z")) == 3600)
        #expect(dublin.offset(at: try seconds("2026-12-31T23:59:59Z")) == 0)
        // The day before the last Sunday of March, 23:00 at UTC-2: Greenland (RFC 9636, 3.3.1).
        let nuuk = try Self.zone("<-02>2<-01>,M3.5.0/-1,M10.5.0/0")
        #expect(nuuk.transition(after: try seconds("2026-01-01T00:00:00Z"))?.at == (try seconds("2026-03-29T01:00:00Z")))
        // A week less an hour after Saturday: the Friday after.
        let late = try Self.zone("EET-2EEST,M3.4.4/50,M10.4.4/50")
        #expect(late.transition(after: try seconds("2026-01-01T00:00:00Z"))?.at == (try seconds("2026-03-28T00:00:00Z")))
        let week = try Self.zone("AAA0BBB,M12.5.0/167,M6.1.0/0")
        #expect(week.transition(after: try seconds("2026-12-20T00:00:00Z"))?.at == (try seconds("2027-01-02T23:00:00Z")))
        // Daylight saving all year: it begins when it ends.
        let always = try Self.zone("XXX3EDT4,0/0,J365/23")
        #expect(always.offset(at: try seconds("2026-12-31T23:59:59Z")) == -14_400)
        #expect(always.offset(at: try seconds("2027-01-01T03:00:00Z")) == -14_400)
        #expect(always.transition(after: try seconds("2026-01-05T00:00:00Z")) == nil)
        #expect(try Self.zone("<+14>-14").offset(at: 3000) == 50_400)
        #expect(try Self.zone("AAA24:59:59").offset(at: 3000) == -89_999)
        #expect(try Self.zone("AAA-0:30BBB-1:15:30,M3.1.0,M9.1.0").offset(at: try seconds("2026-06-01T00:00:00Z")) == 4530)
    }

    @Test func namesThatLeaveTheFolderAreNone() {
        for name in ["", "/etc/passwd", "..", "Europe/../../etc/passwd", "Europe//Berlin", "Europe/", ".hidden", "Europe/.x", "Europe/Ber lin", "Europe/Berl\u{ED}n", "9x",
                     String(repeating: "a", count: 65)] {
            #expect(TimeZoneName(name) == nil, "\(name)")
        }
        for name in ["UTC", "Europe/Berlin", "America/Argentina/ComodRivadavia", "Etc/GMT+12", "America/Port-au-Prince", "EST5EDT"] {
            #expect(TimeZoneName(name)?.text == name)
        }
    }
}
