import Encoding
import SeededNumbers
import SiteRules
import Testing

@Suite struct TimeZoneDataTests {
    static func seconds(_ text: String) throws -> Int64 { try #require(UTCText.read(text)) / 1000 }

    @Test func berlinGoesForwardAndBack() throws {
        let berlin = try TimeZoneFixture.zone("Europe/Berlin")
        let spring = try Self.seconds("2026-03-29T01:00:00Z")
        let autumn = try Self.seconds("2026-10-25T01:00:00Z")
        #expect(berlin.offset(at: spring - 1) == 3600)
        #expect(berlin.offset(at: spring) == 7200)
        #expect(berlin.offset(at: autumn - 1) == 7200)
        #expect(berlin.offset(at: autumn) == 3600)
        let first = try #require(berlin.transition(after: spring - 1))
        #expect((first.at, first.before, first.after) == (spring, 3600, 7200))
        #expect(berlin.transition(after: spring)?.at == autumn)
    }

    @Test func aTimeThatIsLeftOutMeansTheMomentOfTheChange() throws {
        let berlin = try TimeZoneFixture.zone("Europe/Berlin")
        let spring = try Self.seconds("2026-03-29T01:00:00Z")
        let clock = { (text: String) in try Self.seconds(text) }
        #expect(berlin.instant(ofClock: try clock("2026-03-29T01:59:59Z")) == spring - 1)
        #expect(berlin.instant(ofClock: try clock("2026-03-29T02:00:00Z")) == spring)
        #expect(berlin.instant(ofClock: try clock("2026-03-29T02:30:00Z")) == spring)
        #expect(berlin.instant(ofClock: try clock("2026-03-29T03:00:00Z")) == spring)
        #expect(berlin.instant(ofClock: try clock("2026-03-29T03:00:01Z")) == spring + 1)
    }

    @Test func aTimeThatComesTwiceMeansItsFirst() throws {
        let berlin = try TimeZoneFixture.zone("Europe/Berlin")
        let autumn = try Self.seconds("2026-10-25T01:00:00Z")
        #expect(berlin.instant(ofClock: try Self.seconds("2026-10-25T02:00:00Z")) == autumn - 3600)
        #expect(berlin.instant(ofClock: try Self.seconds("2026-10-25T02:59:59Z")) == autumn - 1)
        #expect(berlin.instant(ofClock: try Self.seconds("2026-10-25T03:00:00Z")) == autumn + 3600)
        #expect(berlin.latestClock(by: autumn + 1800) == (try Self.seconds("2026-10-25T02:59:59Z")))
        #expect(berlin.clock(at: autumn + 1800) == (try Self.seconds("2026-10-25T02:30:00Z")))
        #expect(berlin.latestClock(by: autumn + 3600) == berlin.clock(at: autumn + 3600))
    }

    @Test func aDayThatIsLeftOutIsOver() throws {
        // Samoa had no 30 December 2011.
        let apia = try TimeZoneFixture.zone("Pacific/Apia")
        let change = try Self.seconds("2011-12-30T10:00:00Z")
        #expect(apia.instant(ofClock: try Self.seconds("2011-12-30T12:00:00Z")) == change)
        #expect(apia.clock(at: change) == (try Self.seconds("2011-12-31T00:00:00Z")))
    }

    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu", "Europe/Dublin",
                      "America/Nuuk", "Asia/Gaza", "Antarctica/Troll", "Pacific/Apia"])
    func instantAndLatestClockAreTheReverseOfEachOther(name: String) throws {
        let zone = try TimeZoneFixture.zone(name)
        var dice = SeededNumbers(seed: 2090)
        let end = try Self.seconds("2090-01-01T00:00:00Z")
        var near: [Int64] = []
        var change = zone.transition(after: 0)
        while let next = change, next.at < end {
            near.append(next.at)
            change = zone.transition(after: next.at)
        }
        for _ in 0..<3000 {
            let around = near.randomElement(using: &dice) ?? 0
            let clock = around + Int64.random(in: -100_000...100_000, using: &dice)
            let instant = zone.instant(ofClock: clock)
            #expect(zone.latestClock(by: instant) >= clock)
            #expect(zone.latestClock(by: instant - 1) < clock, "\(name) \(clock)")
            #expect(zone.latestClock(by: clock) >= zone.clock(at: clock))
        }
    }

    /// Whatever a rule or a question names, it is taken for the nearest time that a zone answers for.
    @Test(arguments: ["Europe/Berlin", "Africa/Casablanca", "UTC"])
    func noTimeIsTooFarAway(name: String) throws {
        let zone = try TimeZoneFixture.zone(name)
        let end: Int64 = 1_000_000_000_000
        for (far, nearest) in [(Int64.min, -end), (-end - 1, -end), (end + 1, end), (Int64.max, end)] {
            #expect(zone.offset(at: far) == zone.offset(at: nearest))
            #expect(zone.clock(at: far) == nearest + zone.offset(at: nearest))
            #expect(zone.transition(after: far)?.at == zone.transition(after: nearest)?.at)
            #expect(zone.latestClock(by: far) == zone.latestClock(by: nearest))
            #expect(zone.instant(ofClock: far) == zone.instant(ofClock: nearest))
        }
        #expect(zone.instant(ofClock: zone.clock(at: end)) <= end)
    }
}
