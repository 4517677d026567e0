import Configuration
import Encoding
import Foundation
import Lines
import Service
import Testing
import Threads
import Waits

@testable import Controller
@testable import Lanes

/// The lines of a gate that does not run (L6). On this machine there are no chips: a real line is asked
/// for and cannot be had, a simulated one is.
@Suite struct LinesAtSafeLevelTests {
    let site: TestSite
    init() throws { site = try TestSite() }

    private var state: String { site.path("state") }

    /// Lines in all the forms a configuration has.
    private static let requests = [
        LineRequest(name: "main-relay", chip: "no-such-chip", line: .offset(.max), activeLow: true, consumer: "tapstile-main-relay"),
        LineRequest(name: "main-ready", chip: "simulated", line: .named("GPIO\"17"), consumer: "tapstile-main-ready")
    ]

    private func spoilConfiguration(_ text: String = "[[lane") throws {
        try site.write(Array(text.utf8), "tapstile.toml")
    }

    private func rest() throws(StartError) -> LinesAtSafeLevel {
        try LinesAtSafeLevel(configuration: site.path("tapstile.toml"), stateFolder: state)
    }

    private func keep(_ requests: [LineRequest]) throws -> LinesInForce {
        let lines = try #require(LinesInForce(parsing: Self.text(of: requests)))
        try lines.keep(in: state)
        return lines
    }

    /// The file as another program would write it.
    private static func text(of requests: [LineRequest]) -> [UInt8] {
        JSON.object(["v": 1, "lines": .array(requests.map { request in
            let line: JSON = switch request.line {
            case .offset(let number): .integer(Int64(number))
            case .named(let name): .string(name)
            }
            return ["name": .string(request.name), "chip": .string(request.chip), "line": line,
                    "activeLow": .bool(request.activeLow), "consumer": .string(request.consumer)]
        })]).canonical
    }

    @Test func theFileReadsBackAsItWasWritten() throws {
        let lines = try keep(Self.requests)
        #expect(lines.requests == Self.requests)
        #expect(LinesInForce(keptIn: state) == lines)
        #expect(lines.text == Self.text(of: Self.requests))
    }

    @Test(arguments: ["", "{}", #"{"v":2,"lines":[]}"#, #"{"v":1,"lines":[{"name":"a"}]}"#,
                      #"{"v":1,"lines":[{"activeLow":false,"chip":"c","consumer":"t","line":-1,"name":"a"}]}"#])
    func aFileThatIsNotWholeIsNone(text: String) throws {
        try site.write(Array(text.utf8), "state/lines.safe")
        #expect(LinesInForce(keptIn: state) == nil)
    }

    @Test func aGateKeepsItsLinesWhenItStartsAndAfterAReload() throws {
        let controller = try site.controller()
        let expected = LinesInForce(try ConfigurationFile.load(path: site.path("tapstile.toml")).configuration)
        #expect(expected.requests.map(\.name) == ["main-relay", "main-ready", "main-granted", "main-denied"])
        #expect(LinesInForce(keptIn: state) == expected)
        try FileManager.default.removeItem(atPath: state + "/lines.safe")
        _ = try controller.reload()
        #expect(LinesInForce(keptIn: state) == expected)
        controller.stop()
        // After the stop it is still there: for whoever puts lines at their safe level.
        #expect(LinesInForce(keptIn: state) == expected)
    }

    @Test func withoutAReadableConfigurationTheLinesInForceAreAskedFor() throws {
        _ = try keep(Self.requests)
        try spoilConfiguration()
        let rest = try rest()
        #expect(rest.count == 2)
        #expect(rest.failures.map(\.line) == ["main-relay"])
        #expect(rest.failures.map(\.code) == ["line-no-chip"])
    }

    /// The configuration on the disk may be that of the next start; what is energised is of the last one.
    @Test func whatWasInForceGoesBeforeWhatIsConfigured() throws {
        _ = try keep([Self.requests[0]])
        #expect(try rest().count == 1)
    }

    /// A chip behind a bus that hangs: the stop step puts the others at their safe level and ends.
    @Test func aChipThatHangsKeepsNoOtherLineFromItsLevel() throws {
        let lines = try keep(Self.requests + [LineRequest(name: "side-relay", chip: "simulated", line: .offset(9), consumer: "tapstile-side-relay")])
        let hang = Monitor(true), asked = Monitor<Set<String>>([])
        let faults = lines.deenergise(patience: 300) { request in
            if request.name == "main-relay" { hang.hold("the chip") { $0 } }
            asked.change { _ = $0.insert(request.name) }
            return SimulatedLineBank([request])
        }
        #expect(faults.failures == ["main-relay": .silent(chip: "no-such-chip", milliseconds: 300)])
        #expect(asked.withLock { $0 } == ["main-ready", "side-relay"])
        hang.change { $0 = false }
        try asked.wait(for: "the chip to answer") { $0.count == 3 ? () : nil }
    }

    @Test func withoutTheFileTheConfigurationsLinesAreAskedFor() throws {
        let rest = try rest()
        #expect(rest.count == 4)
        #expect(rest.failures.isEmpty)
        try site.write(Array("{".utf8), "state/lines.safe")
        #expect(try self.rest().count == 4)
    }

    @Test func aFaultyConfigurationStillSaysWhereTheStateIs() throws {
        _ = try keep(Self.requests)
        try spoilConfiguration("[store]\ndirectory = \"\(state)\"\n[site]\nid = 7\n")
        let rest = try LinesAtSafeLevel(configuration: site.path("tapstile.toml"), stateFolder: "/nowhere")
        #expect(rest.count == 2)
    }

    @Test func whereNothingIsKnownItIsSaid() throws {
        try spoilConfiguration()
        #expect(throws: StartError(code: "lines-unknown", message: "")) { try rest() }
    }

    @Test func aStateFolderThatCannotBeWrittenDoesNotKeepTheGateFromServing() throws {
        let controller = try site.controller()
        defer { controller.stop() }
        try FileManager.default.removeItem(atPath: state + "/lines.safe")
        // A folder in the way of the file.
        try FileManager.default.createDirectory(atPath: state + "/lines.safe", withIntermediateDirectories: true)
        #expect(try controller.reload()["result"] == "reloaded")
    }
}
