@testable import Configuration
import Testing

@Suite("The effective text loads to the same configuration")
struct EffectiveTextTests {
    static func load(_ text: String) throws -> GateConfiguration {
        try ConfigurationFile.parse(Array(text.utf8), name: "effective").configuration
    }

    @Test("The smallest one, and its effective text gives itself")
    func smallest() throws {
        let configuration = try Self.load(Sample.smallest)
        let again = try Self.load(configuration.effectiveText)
        #expect(again == configuration)
        #expect(again.effectiveText == configuration.effectiveText)
        #expect(configuration.effectiveText.contains("pulse-ms = 500\n"))
        #expect(configuration.effectiveText.contains("[log.readers]\nlevel = \"info\"\n"))
    }

    @Test("1000 made-up configurations", arguments: 0..<10)
    func madeUp(seed: UInt64) throws {
        var source = ConfigurationSource(seed: seed)
        for _ in 0..<100 {
            let configuration = source.configuration()
            let again = try Self.load(configuration.effectiveText)
            #expect(again == configuration)
        }
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
        for light in Light.allCases { configuration.lanes[0].lights[light] = source.output() }
        var reader = source.reader(0, lanes: configuration.lanes)
        while case .pcsc = reader.device { reader = source.reader(0, lanes: configuration.lanes) }
        configuration.readers = [reader]
        configuration.radios = [RadioSettings(name: "air", lanes: [configuration.lanes[0].name])]
        for signal in SignalName.allCases { configuration.patterns[signal] = source.pattern() }
        configuration.sync = source.sync()
        let text = configuration.effectiveText
        for (_, table) in Schema.allTables {
            for setting in table.settings {
                if case .optional = setting.presence { continue }
                #expect(text.contains("\n\(setting.name) = "), "\(setting.name)")
            }
        }
    }
}
