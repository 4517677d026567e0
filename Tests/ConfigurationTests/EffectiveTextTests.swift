@testable import Configuration
import Testing

@Suite("The effective text loads to the same configuration")
struct EffectiveTextTests {
    static func effective(_ text: String) throws -> String {
        try ConfigurationFile.parse(Array(text.utf8), name: "effective").effectiveText
    }

    static func load(_ text: String) throws -> GateConfiguration {
        try ConfigurationFile.parse(Array(text.utf8), name: "effective").configuration
    }

    @Test("The smallest one, and its effective text gives itself")
    func smallest() throws {
        let text = try Self.effective(Sample.smallest)
        #expect(try Self.load(text) == Self.load(Sample.smallest))
        #expect(try Self.effective(text) == text)
        #expect(text.contains("pulse-ms = 500\n"))
        #expect(text.contains("[log.readers]\nlevel = \"info\"\n"))
        #expect(text.contains("audit-on-failure = \"deny\"\n"))
    }

    @Test("1000 made-up configurations", arguments: 0..<10)
    func madeUp(seed: UInt64) throws {
        var source = ConfigurationSource(seed: seed)
        for _ in 0..<100 {
            let configuration = source.configuration()
            let written = WrittenText(configuration).text
            #expect(try Self.load(written) == configuration)
            let text = try Self.effective(written)
            #expect(try Self.load(text) == configuration)
            #expect(try Self.effective(text) == text)
        }
    }

    @Test("A default that is not in force is not spelled out: nothing synchronises, no line resets, no release lasts")
    func withoutMeaning() throws {
        let text = try Self.effective(Sample.smallest + "\n[[lane.command]]\nname = \"tokn\"\naction = \"pass\"\n")
        #expect(!text.contains("[sync]") && !text.contains("minutes = "))
        #expect(text.contains("[reader.reset]\nusb = false\n"))
    }

    @Test("Every key with a value is spelled out")
    func complete() throws {
        var source = ConfigurationSource(seed: 99)
        var configuration = source.configuration()
        configuration.lanes[0].zone = "hall"
        configuration.lanes[0].relayOut = source.relay()
        configuration.lanes[0].lineOutputs = [LineOutputSettings(name: "lamp", output: source.output(), restore: true)]
        configuration.lanes[0].commands = [CommandSettings(name: "tokn", action: .holdOpen, output: nil, minutes: 5, secondFactor: true, schedule: nil)]
        for name in InputName.allCases { configuration.lanes[0].inputs[name] = source.input(name) }
        for indicator in Indicator.allCases { configuration.lanes[0].indicators[indicator] = source.output() }
        var reader = source.reader(0, lanes: configuration.lanes)
        while case .pcsc = reader.device { reader = source.reader(0, lanes: configuration.lanes) }
        configuration.readers = [reader]
        configuration.radios = [RadioSettings(name: "air", lanes: [configuration.lanes[0].name])]
        for signal in SignalName.allCases { configuration.patterns[signal] = source.pattern() }
        configuration.sync = source.sync()
        // Its parts need not go together: nothing is checked across them.
        var schema = SchemaReader(file: "complete")
        let text = EffectiveText(schema.read(Schema.root, try TOMLDocument(Array(WrittenText(configuration).text.utf8)).root)).text
        #expect(!schema.issues.hasErrors)
        for (_, table) in Schema.allTables {
            for setting in table.settings {
                switch setting.presence {
                case .optional, .byWord: continue
                case .required, .standard, .named, .inherited: break
                }
                #expect(text.contains("\n\(setting.name) = "), "\(setting.name)")
            }
        }
    }
}
