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

    @Test("Everything in the example may be said")
    func exampleIsRight() throws {
        let text = try Self.text("Config/site.toml").split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("#") && !line.hasPrefix("# ") ? String(line.dropFirst()) : String(line)
        }.joined(separator: "\n")
        #expect(SiteFileFixture.issues(text, folder: "/nowhere").map(\.code) == ["file-unreadable", "file-unreadable"], "files that lie beside it")
        for (path, table) in SiteSchema.root.tables.map({ ($0.name, $0) }) where path != "issuer" && path != "people" {
            #expect(text.contains("[[\(path)]]"), "\(table.name)")
        }
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
