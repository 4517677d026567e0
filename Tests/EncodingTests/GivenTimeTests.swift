import Encoding
import Testing

@Suite("Times as people write them")
struct GivenTimeTests {
    static let written: [(String, GivenTime)] = [
        ("2026-11-24T17:03:00Z", .instant(1_795_539_780_000)), ("2026-11-24 17:03Z", .instant(1_795_539_780_000)),
        ("2026-11-24T18:03+01:00", .instant(1_795_539_780_000)), ("2026-11-24 18:03:00+01:00", .instant(1_795_539_780_000)),
        ("2026-11-24T12:03-05:00", .instant(1_795_539_780_000)), ("2026-11-24T17:03", .clock(1_795_539_780)), ("2026-11-24 17:03:00", .clock(1_795_539_780)),
        ("18:03", .timeOfDay(64_980)), ("00:00:07", .timeOfDay(7))
    ]

    @Test(arguments: written)
    func eachIsReadAsWhatItIs(text: String, time: GivenTime) { #expect(GivenTime(text) == time) }

    @Test(arguments: ["", "tomorrow", "18", "25:00", "24:00", "2026-11-24 25:00", "2026-02-30 08:00", "2026-11-24T18:03+1", "2026-11-24T18:03+25:00", "+01:00", "2026-11-24 18:03 +01:00"])
    func nothingElseIs(text: String) { #expect(GivenTime(text) == nil) }
}
