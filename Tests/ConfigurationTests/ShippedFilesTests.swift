@testable import Configuration
import Foundation
import Testing

@Suite("What is shipped fits the schema")
struct ShippedFilesTests {
    static let top = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: top.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("The shipped configuration is valid as it is, without a warning")
    func shippedIsValid() throws {
        let path = Self.top.appendingPathComponent("Config/tapstile.toml").path
        let loaded = try ConfigurationFile.load(path: path, checkingFiles: false)
        #expect(loaded.warnings == [])
    }

    /// The shipped text with every commented key switched on.
    static func uncommented() throws -> String {
        try text("Config/tapstile.toml").split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("#") && !line.hasPrefix("# ") ? String(line.dropFirst()) : String(line)
        }.joined(separator: "\n")
    }

    @Test("Every commented key is known, and its value allowed")
    func commentedKeysAreKnown() throws {
        do {
            _ = try ConfigurationFile.parse(Array(Self.uncommented().utf8), name: "tapstile.toml")
            Issue.record("name, serial and port together are one mistake")
        } catch let error as InvalidConfiguration {
            // All three ways to find a reader are shown; only one may be used. And a schedule is shown beside the default,
            // which does not go by one. And both ways to come by site data, and a group of readers beside the default, which wakes no phone.
            #expect(error.issues.map(\.code) == ["two-trust-sources", "schedule-unused", "reader-match", "reader-chip"])
        }
    }

    @Test("Every known key is shown in its table")
    func everyKeyIsShown() throws {
        let document = try TOMLDocument(Array(Self.uncommented().utf8))
        var shown: Set<String> = []
        Self.collect(document.root, path: "", into: &shown)
        let rooms = Set(GateConfiguration.logRooms.map { "log.\($0)" })
        let indicators = Set(Indicator.allCases.map { "lane.indicators.\($0.rawValue)" })
        let inputs = Set(InputName.allCases.map { "lane.inputs.\($0.rawValue)" } + InputName.ofGate.map { "inputs.\($0.rawValue)" })
        let patterns = Set(SignalName.allCases.map { "pattern.\($0.rawValue)" })
        for (path, table) in Schema.allTables {
            for setting in table.settings {
                // Rooms, indicators, inputs and patterns are alike: one of each kind shows the keys.
                let places = [rooms, indicators, inputs, patterns].first { $0.contains(path) } ?? [path]
                #expect(places.contains { shown.contains("\($0).\(setting.name)") }, "\(path).\(setting.name)")
            }
        }
        let text = try Self.text("Config/tapstile.toml")
        for room in GateConfiguration.logRooms { #expect(text.contains(room)) }
        for indicator in indicators { #expect(text.contains("[\(indicator)]")) }
        for signal in SignalName.allCases { #expect(text.contains(signal.rawValue)) }
        for input in InputName.allCases { #expect(text.contains("\(input.rawValue)")) }
    }

    @Test("The defaults shown are the defaults that hold")
    func defaultsAreTrue() throws {
        var shown: [String: [String]] = [:]
        Self.collectValues(try TOMLDocument(Array(Self.uncommented().utf8)).root, path: "", into: &shown)
        // The level and target of a room are an example of how it may differ.
        for (path, table) in Schema.allTables where !path.hasPrefix("log.") {
            for setting in table.settings {
                guard case .standard(let value) = setting.presence else { continue }
                // Both kinds of readers are shown.
                if path == "reader" && setting.name == "type" { continue }
                let values = shown["\(path).\(setting.name)"] ?? []
                #expect(values.allSatisfy { $0 == TOMLText.value(value) }, "\(path).\(setting.name)")
            }
        }
        #expect(shown["reader.presentation-deadline-ms"] == ["1500"] && shown["radio.presentation-deadline-ms"] == ["5000"])
        #expect(shown["reader.type"] == ["\"pcsc\"", "\"pn532\""])
        #expect(shown["lane.inputs.passage-in.normally"] == ["\"open\""])
    }

    /// Every value that is shown, by its path, as TOML writes it.
    static func collectValues(_ node: TOMLNode, path: String, into shown: inout [String: [String]]) {
        let value: SettingValue? = switch node.content {
        case .text(let text): .text(text)
        case .integer(let number): .integer(number)
        case .boolean(let flag): .flag(flag)
        case .array(let elements): integers(elements).map { .integers($0) }
        case .table, .float, .time, .moment: nil
        }
        if let value { shown[path, default: []].append(TOMLText.value(value)) }
        switch node.content {
        case .table(let entries):
            for entry in entries { collectValues(entry.value, path: path.isEmpty ? entry.key : "\(path).\(entry.key)", into: &shown) }
        case .array(let elements):
            for element in elements where element.isTable { collectValues(element, path: path, into: &shown) }
        case .text, .integer, .float, .boolean, .time, .moment: break
        }
    }

    private static func integers(_ elements: [TOMLNode]) -> [Int64]? {
        let numbers = elements.compactMap { element -> Int64? in
            guard case .integer(let number) = element.content else { return nil }
            return number
        }
        return numbers.count == elements.count ? numbers : nil
    }

    static func collect(_ node: TOMLNode, path: String, into shown: inout Set<String>) {
        switch node.content {
        case .table(let entries):
            for entry in entries {
                let inner = path.isEmpty ? entry.key : "\(path).\(entry.key)"
                shown.insert(inner)
                collect(entry.value, path: inner, into: &shown)
            }
        case .array(let elements):
            for element in elements { collect(element, path: path, into: &shown) }
        case .text, .integer, .float, .boolean, .time, .moment: break
        }
    }

    /// After a change of the schema: `TAPSTILE_WRITE_DOCS=1 swift test --filter ShippedFilesTests`.
    @Test("docs/configuration.md says what the schema says")
    func reference() throws {
        let text = try Self.text("docs/configuration.md")
        let head = text.components(separatedBy: ConfigurationReference.marker)[0]
        if ProcessInfo.processInfo.environment["TAPSTILE_WRITE_DOCS"] != nil {
            try (head + ConfigurationReference.markdown).write(
                to: Self.top.appendingPathComponent("docs/configuration.md"), atomically: true, encoding: .utf8)
        } else {
            #expect(text == head + ConfigurationReference.markdown)
        }
    }

    @Test("docs/configuration.md explains every code")
    func codes() throws {
        let text = try Self.text("docs/configuration.md")
        let sources = try FileManager.default.subpathsOfDirectory(atPath: Self.top.appendingPathComponent("Sources/Controller/Configuration").path)
        var codes: Set<String> = []
        for path in sources where path.hasSuffix(".swift") {
            let source = try Self.text("Sources/Controller/Configuration/\(path)")
            for match in source.matches(of: /(?:issues\.(?:error|warning)\(|code: |case \.(?:failed|tooLong): )"([a-z-]+)"/) {
                codes.insert(String(match.1))
            }
        }
        #expect(codes.count > 20)
        for code in codes where code != "configuration-invalid" { #expect(text.contains("`\(code)`"), "\(code)") }
    }
}
