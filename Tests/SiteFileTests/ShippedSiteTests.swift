import Cryptography
import Foundation
import Testing

@testable import SiteFile

@Suite("What is shipped fits the grammar of a site's file") struct ShippedSiteTests {
    private static let top = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: top.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("The example says nothing until somebody removes a #")
    func exampleIsEmpty() throws {
        #expect(try SiteFileFixture.load(Self.text("Config/site.toml")).records.isEmpty)
    }

    /// The example with what it says, but for some tables.
    private static func example(without tables: [String]) throws -> String {
        let text = try Self.text("Config/site.toml").split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("#") && !line.hasPrefix("# ") ? String(line.dropFirst()) : String(line)
        }.joined(separator: "\n")
        return text.components(separatedBy: "\n\n").filter { part in !tables.contains { part.hasPrefix("[[\($0)]]") || part.hasPrefix("[\($0)]") } }
            .joined(separator: "\n\n")
    }

    @Test("All tables are in the example")
    func exampleIsWhole() throws {
        let text = try Self.example(without: [])
        for table in SiteSchema.root.tables { #expect(text.contains("\n[[\(table.name)]]") || text.contains("\n[\(table.name)]"), "\(table.name)") }
    }

    @Test("Everything in the example may be said by a gate that stands alone, but what an authority gives at most")
    func exampleIsRight() throws {
        let issues = SiteFileFixture.issues(try Self.example(without: ["people"]), folder: "/nowhere")
        #expect(issues.map(\.code) == Array(repeating: "file-unreadable", count: 3), "files that lie beside it")
        #expect(SiteFileFixture.issues(try Self.example(without: []), folder: "/nowhere").map(\.code).contains("only-for-an-authority"))
    }

    @Test("The example forbids an office exactly what an office may not say")
    func exampleIsRightInTheOffice() throws {
        let forbidden = SiteSchema.tablesOfPeople.map(\.name)
        let text = try Self.example(without: forbidden)
        #expect(SiteFileFixture.issues(text, folder: "/nowhere", in: .office).map(\.code).contains("not-for-an-authority"), "an issuer's key")
        let keyless = text.components(separatedBy: "\n").filter { !$0.hasPrefix("key-file = \"issuer.pub\"") }.joined(separator: "\n")
        let issues = SiteFileFixture.issues(keyless, folder: "/nowhere", in: .office)
        #expect(issues.map(\.code) == ["file-unreadable"], "the members' file")
        let head = try Self.text("Config/site.toml").components(separatedBy: "# Everything here")[0]
        let named = SiteSchema.root.tables.map(\.name).filter { head.contains("[[\($0)]]") }
        #expect(named.sorted() == forbidden.sorted())
    }

    /// After a change of the schema: `TAPSTILE_WRITE_DOCS=1 swift test --filter ShippedSiteTests`.
    @Test("docs/site.md says what the schema says")
    func reference() throws {
        let text = try Self.text("docs/site.md")
        let head = text.components(separatedBy: SiteReference.marker)[0]
        if ProcessInfo.processInfo.environment["TAPSTILE_WRITE_DOCS"] != nil {
            try (head + SiteReference.markdown).write(to: Self.top.appendingPathComponent("docs/site.md"), atomically: true, encoding: .utf8)
        } else {
            #expect(text == head + SiteReference.markdown)
        }
    }
}
