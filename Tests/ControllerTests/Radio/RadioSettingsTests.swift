import Configuration
@testable import Controller
import Gate
import Testing

/// What an installer writes about radios becomes the rules of the gate, and what of it waits for a restart.
@Suite("Radios as they are configured (T2, T5, T6)") struct RadioSettingsTests {
    private static func configuration(_ radio: String = "", lane: String = "") throws -> GateConfiguration {
        try loaded(radio, lane: lane).configuration
    }

    private static func loaded(_ radio: String = "", lane: String = "", lanes: String = "\"side\", \"entry\"") throws -> LoadedConfiguration {
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
            lanes = [\(lanes)]
            \(radio)
            """
        return try ConfigurationFile.parse(Array(text.utf8), name: "t.toml")
    }

    /// What a gate at work cannot take over.
    private static func fixed(_ next: LoadedConfiguration) throws -> [String] { try loaded().fixed.changes(to: next.fixed) }

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
        let key = String(setting.prefix { $0 != " " })
        // The mode brings its own service.
        let named = key == "mode" ? ["mode", "service-uuid"] : [key]
        #expect(try Self.fixed(Self.loaded(setting)) == named.map { "radio air: \($0)" })
    }

    @Test func soDoTheRadiosThemselvesAndTheirLanes() throws {
        #expect(try Self.fixed(Self.loaded(lanes: "\"entry\", \"side\"")) == ["radio air: lanes"])
        // What stands in a radio that comes is not named again.
        let second = "[[radio]]\nname = \"roof\"\nlanes = [\"entry\"]\naddress = \"00:1A:7D:DA:71:14\""
        #expect(try Self.fixed(Self.loaded("address = \"00:1A:7D:DA:71:13\"\n\(second)", lanes: "\"side\""))
            == ["the list of radios", "radio air: lanes", "radio air: address"])
    }

    @Test func everythingElseIsTakenOverByAReload() throws {
        let next = try Self.loaded(
            "direction = \"out\"\nlinks = 7\npresentation-deadline-ms = 1000\nreport-interval-ms = 0",
            lane: "carriers = \"both\"\nble-require = \"foreground\"\nble-rssi-threshold-dbm = -50\nble-rssi-window-ms = 900")
        #expect(try Self.fixed(next) == [])
    }

    @Test func theServiceOfTheModeMayBeNamed() throws {
        let named = try Self.loaded("service-uuid = \"00005301-0010-002A-426C-756549442A00\"")
        #expect(try Self.fixed(named) == [], "it is the same")
    }
}
