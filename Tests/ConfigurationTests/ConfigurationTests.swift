import Configuration
import Testing

@Suite("A text becomes a configuration")
struct ConfigurationTests {
    @Test("What is not said has its default")
    func defaults() throws {
        let loaded = try ConfigurationFile.parse(Array(Sample.smallest.utf8), name: "t.toml")
        let configuration = loaded.configuration
        #expect(loaded.warnings.isEmpty)
        #expect(configuration.site.identifier == "hill")
        #expect(configuration.audit == AuditSettings(onFailure: .deny, waitMilliseconds: 3, durableWithinMilliseconds: 250,
                                                     maximumRecords: 1_000_000, collect: .none, onFull: .overwrite))
        #expect(configuration.clock == ClockSettings(source: .kernel, holdoverDays: 30, whenUntrusted: .enrolledOnly, afterBoot: .confirm))
        #expect(configuration.store.directory == "/var/lib/tapstile")
        #expect(configuration.control == ControlSettings(socket: "/run/tapstile/control.sock", group: "tapstile"))
        #expect(configuration.trust.warnAfterHours == 24)
        #expect(configuration.trust.refuseAfterDays == 30)
        #expect(configuration.trust.tokenCache == 1024)
        #expect(configuration.log.standard == .init(level: .info, target: .journal))
        #expect(Set(configuration.log.rooms.keys) == Set(GateConfiguration.logRooms))
        let lane = try #require(configuration.lanes.first)
        #expect(lane.methods == [0])
        #expect(lane.suites == [2, 3, 5, 6])
        #expect(lane.cooldownSuccessMilliseconds == 2000)
        #expect(lane.cooldownFailureMilliseconds == 500)
        #expect(lane.auditOnFailure == .deny)
        #expect(lane.relay == RelaySettings(output: OutputSettings(chip: "gpiochip0", line: .offset(17), active: .high),
                                            pulseMilliseconds: 500))
        #expect(lane.outputs.map(\.purpose) == ["relay"])
        let reader = try #require(configuration.readers(ofLane: "entry").first)
        #expect(reader.direction == .in)
        #expect(reader.device == .pcsc(.serial("A1"), nameContains: nil))
        #expect(reader.reset == ReaderResetSettings(line: nil, usb: false))
        #expect(reader.presentationDeadlineMilliseconds == 1500)
        #expect(reader.stuckAfterMilliseconds == 10_000)
    }

    @Test("Rooms and lanes inherit what they do not say")
    func inheritance() throws {
        let text = Sample.smallest + """

            [audit]
            on-failure = "allow"
            [log]
            level = "warning"
            [log.readers]
            level = "debug"
            """
        let configuration = try ConfigurationFile.parse(Array(text.utf8), name: "t.toml").configuration
        #expect(configuration.lanes.first?.auditOnFailure == .allow)
        #expect(configuration.log.rooms["readers"] == .init(level: .debug, target: .journal))
        #expect(configuration.log.rooms["gate"] == .init(level: .warning, target: .journal))
    }

    @Test("Indicators, names of lines and the simulated bank")
    func lines() throws {
        let text = Sample.smallest.replacing("chip = \"gpiochip0\"", with: "chip = \"simulated\"") + """

            [[lane]]
            name = "exit"
            relay = { chip = "gpiochip1", line = "GPIO4", active = "low", pulse-ms = 800 }
            indicators.granted = { chip = "gpiochip1", line = 5 }
            [[reader]]
            name = "out"
            lane = "exit"
            direction = "out"
            match = { port = "1-1.2", name-contains = "PICC" }
            """
        let loaded = try ConfigurationFile.parse(Array(text.utf8), name: "t.toml")
        #expect(loaded.warnings.map(\.code) == ["simulated-line"])
        #expect(loaded.configuration.usesSimulatedLines)
        let exit = try #require(loaded.configuration.lanes.last)
        #expect(exit.relay.output == OutputSettings(chip: "gpiochip1", line: .named("GPIO4"), active: .low))
        #expect(exit.indicators[.granted] == OutputSettings(chip: "gpiochip1", line: .offset(5), active: .high))
        #expect(exit.indicators[.denied] == nil)
        #expect(exit.outputs.map(\.purpose) == ["relay", "granted"])
        let reader = try #require(loaded.configuration.readers(ofLane: "exit").first)
        #expect(reader.device == .pcsc(.port("1-1.2"), nameContains: "PICC"))
        #expect(reader.direction == .out)
    }
}
