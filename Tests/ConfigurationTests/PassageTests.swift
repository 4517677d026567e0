@testable import Configuration
import Testing

@Suite("What a lane does about passages, and what overrides its rules")
struct PassageTests {
    private static func load(_ settings: String, _ tables: String = "") throws -> LaneSettings {
        let text = Sample.smallest.replacing("name = \"entry\"\n[lane.relay]", with: "name = \"entry\"\n\(settings)\n[lane.relay]")
            .replacing("[[reader]]", with: tables + "\n[[reader]]")
        return try #require(try ConfigurationFile.parse(Array(text.utf8), name: "t.toml").configuration.lanes.first)
    }

    @Test("What is not said has its default") func defaults() throws {
        let lane = try Self.load("")
        #expect(lane.passage == PassageSettings())
        #expect(lane.passage.onFire == nil && lane.passage.onFireLineFault == .release && lane.passage.requestToExitWhenLocked)
        #expect(lane.passage.automatic && lane.passage.bleBackgroundCooldownMilliseconds == 20_000)
        #expect(lane.relay.hold == .pulse)
    }

    @Test("Everything can be said") func all() throws {
        let lane = try Self.load("""
            passage-wait-ms = 7000
            held-after-ms = 8000
            alarm-ms = 0
            on-fire = "stay"
            on-fire-line-fault = "stay"
            request-to-exit-when-locked = false
            free-passage-direction = "out"
            automatic = false
            ble-background-cooldown-ms = 0
            """)
        #expect(lane.passage == PassageSettings(
            waitMilliseconds: 7000, heldAfterMilliseconds: 8000, alarmMilliseconds: 0, onFire: .stay, onFireLineFault: .stay,
            requestToExitWhenLocked: false, freePassage: .out, automatic: false, bleBackgroundCooldownMilliseconds: 0))
    }

    @Test("A relay that waits for the passage needs something that sees it") func hold() throws {
        let text = Sample.smallest.replacing("line = 17", with: "line = 17\nhold = \"until-passage\"")
        #expect(IssueTests.marks(text) == ["13:8 hold-unseen"])
        let seen = text.replacing("[[reader]]", with: "[lane.inputs.passage-in]\nchip = \"gpiochip0\"\nline = 5\n[[reader]]")
        #expect(IssueTests.marks(seen) == [])
    }
}
