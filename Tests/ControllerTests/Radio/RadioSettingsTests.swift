import Configuration
@testable import Controller
import Gate
import Testing

/// What an installer writes about radios becomes the rules of the gate, and what of it waits for a restart.
@Suite("Radios as they are configured (T2, T5, T6)") struct RadioSettingsTests {
    private static func configuration(_ radio: String = "", lane: String = "") throws -> GateConfiguration {
        let text = """
            site = { id = "hill" }
            gate = { id = "gate-1", signing-key = "/keys/sign" }
            trust = { root = "/keys/root.json" }
            [[lane]]
            name = "entry"
            relay = { chip = "gpiochip0", line = 17 }
            \(lane)
            [[lane]]
            name = "side"
            carriers = "ble-only"
            ble-rssi-threshold-dbm = -72
            ble-rssi-window-ms = 500
            relay = { chip = "gpiochip0", line = 18 }
            [[reader]]
            name = "in"
            lane = "entry"
            match = { serial = "A1" }
            [[radio]]
            name = "air"
            lanes = ["side", "entry"]
            \(radio)
            """
        return try ConfigurationFile.parse(Array(text.utf8), name: "t.toml").configuration
    }

    @Test func theRulesOfARadioAreThoseOfItsLanes() throws {
        let configuration = try Self.configuration("links = 5\npresentation-deadline-ms = 9000")
        let rules = RadioRules(configuration.radios[0], lanes: configuration.lanes)
        #expect(rules.mode == .onTouch([ProximityRule(lane: "side", threshold: -72, window: 500), ProximityRule(lane: "entry")]))
        #expect(rules.limit == 5 && rules.conversation == 9000)
        let classic = try Self.configuration("mode = \"classic\"")
        #expect(RadioRules(classic.radios[0], lanes: classic.lanes).mode == .classic(lanes: ["side", "entry"]))
    }

    @Test func whomALaneServesIsWhatItSays() throws {
        let configuration = try Self.configuration(lane: "carriers = \"both\"\nble-require = \"unlocked\"")
        #expect(configuration.lanes.map { CarrierRule($0.carriers) } == [
            CarrierRule(policy: .both, requirement: .unlocked), CarrierRule(policy: .bleOnly)
        ])
        for (setting, policy) in zip(CarrierSetting.allCases, CarrierPolicy.allCases) {
            #expect(CarrierPolicy(setting) == policy && setting.rawValue == policy.rawValue)
        }
        for (setting, requirement) in zip(BLERequirement.allCases, PhoneRequirement.allCases) {
            #expect(PhoneRequirement(setting) == requirement && setting.rawValue == requirement.rawValue)
        }
    }

    static let bindings = [
        "address = \"00:1A:7D:DA:71:13\"", "mode = \"classic\"", "service-uuid = \"0000feed-0000-1000-8000-00805f9b34fb\""
    ]

    @Test(arguments: bindings) func howARadioIsBoundWaitsForARestart(setting: String) throws {
        #expect(try Self.configuration().settingsThatNeedARestart(comparedWith: Self.configuration(setting)) == ["the bindings of radios"])
    }

    @Test func soDoTheRadiosThemselvesAndTheirLanes() throws {
        let now = try Self.configuration()
        var other = now
        other.radios[0].lanes = ["entry", "side"]
        #expect(now.settingsThatNeedARestart(comparedWith: other) == ["the bindings of radios"])
        other.radios = []
        #expect(now.settingsThatNeedARestart(comparedWith: other) == ["the bindings of radios"])
    }

    @Test func everythingElseIsTakenOverByAReload() throws {
        let next = try Self.configuration(
            "direction = \"out\"\nlinks = 7\npresentation-deadline-ms = 1000\nreport-interval-ms = 0",
            lane: "carriers = \"both\"\nble-require = \"foreground\"\nble-rssi-threshold-dbm = -50\nble-rssi-window-ms = 900")
        #expect(try Self.configuration().settingsThatNeedARestart(comparedWith: next) == [])
    }

    @Test func theServiceOfTheModeMayBeNamed() throws {
        let named = try Self.configuration("service-uuid = \"00005301-0010-002A-426C-756549442A00\"")
        #expect(try Self.configuration().settingsThatNeedARestart(comparedWith: named) == [], "it is the same")
    }
}
