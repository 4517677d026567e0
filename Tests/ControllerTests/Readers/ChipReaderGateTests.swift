import Configuration
import Encoding
import Lines
import Service
import Testing

@testable import Controller

/// A gate with two PN532s, whose programs are stand-ins (T3, O5).
@Suite("A gate with a PN532") struct ChipReaderGateTests {
    private let site: TestSite
    private let programs: [ChipProgram]

    init() throws {
        site = try TestSite()
        programs = [try ChipProgram(site.path("a.sock")), try ChipProgram(site.path("b.sock"))]
        try configure()
    }

    private func configure(cycle: Int = 200, _ more: String = "") throws {
        try site.configure(readers: ["a", "b"].map { name in
            """
            [[reader]]
            name = "\(name)"
            lane = "main"
            type = "pn532"
            [reader.chip]
            bus = "uart"
            device = "/dev/pts/not-there-\(name)"
            socket = "\(site.path("\(name).sock"))"
            \(name == "a" ? "cycle-ms = \(cycle)" : "")
            \(name == "a" ? more : "")
            """
        }.joined(separator: "\n"))
    }

    private func run(_ test: (Controller, EventLog) throws -> Void) throws {
        let loaded = try ConfigurationFile.load(path: site.path("tapstile.toml"))
        let logs = try LogOutput(LogSettings(loaded.configuration.log))
        let events = EventLog()
        let gate = try Controller(loaded, path: site.path("tapstile.toml"), bank: try site.bank, logs: logs)
        gate.listen(events.add)
        defer {
            gate.stop()
            logs.stop()
            for program in programs { program.stop() }
        }
        try gate.start()
        try test(gate, events)
    }

    private func reader(_ name: String, _ gate: Controller) -> JSON? {
        gate.status["readers"]?.array?.first { $0["name"]?.string == name }
    }

    @Test func itsProgramIsStartedWithTheGateAndEndedWithIt() throws {
        try run { gate, events in
            #expect(try programs[0].setUp(times: 1)?.device == "pn532_uart:/dev/pts/not-there-a:115200")
            #expect(try programs[1].setUp(times: 1)?.device == "pn532_uart:/dev/pts/not-there-b:115200")
            for name in ["a", "b"] { try events.reader(name, is: "reader-ready") }
            let told = try #require(reader("a", gate))
            #expect(told["type"]?.string == "pn532" && told["inService"]?.bool == true && told["state"]?.string == "reader-ready")
            #expect(told["recovery"]?["reopen"]?.integer == 0 && told["recovery"]?["reset-line"]?.integer == 0)
            #expect(told["resetLine"] == nil)
            let faults = try #require(gate.status["lanes"]?.array?.first?["faults"]?.array)
            #expect(faults.allSatisfy { $0["code"]?.string?.hasPrefix("reader") == false }, "its lane is in service")
        }
        #expect(programs.map(\.ends) == [1, 1])
    }

    @Test func onlyAReaderWithOtherSettingsIsStartedAnew() throws {
        try run { gate, events in
            for name in ["a", "b"] { try events.reader(name, is: "reader-ready") }
            try configure(cycle: 100)
            #expect(try gate.reload()["result"]?.string == "reloaded")
            #expect(try programs[0].setUp(times: 2)?.cycleMilliseconds == 100)
            try events.reader("a", is: "reader-ready", times: 2)
            #expect(try gate.reload()["result"]?.string == "reloaded", "nothing has changed")
            #expect(programs.map(\.ends) == [1, 0])
        }
        #expect(programs.map(\.ends) == [2, 1])
    }

    @Test func aResetLineThatCannotBeHadIsTold() throws {
        try configure("[reader.reset]\nchip = \"no-such-chip\"\nline = 9")
        let loaded = try ConfigurationFile.load(path: site.path("tapstile.toml"))
        let gate = try Controller(loaded, path: site.path("tapstile.toml"), logs: try LogOutput(LogSettings(loaded.configuration.log)))
        defer {
            gate.stop()
            for program in programs { program.stop() }
        }
        #expect(reader("a", gate)?["resetLine"]?["code"]?.string == "line-no-chip")
        #expect(reader("b", gate)?["resetLine"] == nil)
    }
}
