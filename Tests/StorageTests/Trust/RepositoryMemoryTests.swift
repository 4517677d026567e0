import Foundation
import SiteData
import Testing

@testable import Storage

/// What a gate remembers of its repository, whatever of it is lost (S5).
@Suite struct RepositoryMemoryTests {
    let folder: TemporaryFolder
    let root = Array("first root".utf8)

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> RepositoryMemory { try RepositoryMemory(directory: folder.path) }

    private func versions(_ timestamp: Int64) throws -> TrustedVersions {
        var versions = TrustedVersions()
        versions[.root] = 2
        versions[.timestamp] = timestamp
        versions[try RoleName(named: "people")] = .max
        return versions
    }

    /// A gate that has kept a second root and a timestamp.
    private func used() throws -> RepositoryMemory {
        let memory = try open()
        _ = try memory.begin(with: root, site: "hq")
        try memory.keep(.root, [2], forgetting: [], versions: versions(0), root: root, site: "hq")
        try memory.keep(.timestamp, [7], forgetting: [], versions: versions(7), root: root, site: "hq")
        return memory
    }

    @Test func theFirstRunBeginsWithWhatTheInstallerBrought() throws {
        let beginning = try open().begin(with: root, site: "hq")
        #expect(beginning.kept == root)
        #expect(beginning.versions == TrustedVersions())
        #expect(!beginning.areVersionsLost)
    }

    @Test func theNextBeginsWithWhatWasKept() throws {
        _ = try used()
        let memory = try open()
        let beginning = try memory.begin(with: root, site: "hq")
        #expect(beginning.kept == [2])
        #expect(try beginning.versions == versions(7))
        #expect(try memory.load(.timestamp, limit: 10) == [7])
        #expect(try memory.load(.timestamp, limit: 0) == nil)
    }

    @Test func versionsOutliveTheMetadata() throws {
        _ = try used()
        try FileManager.default.removeItem(atPath: folder.path("tuf"))
        let beginning = try open().begin(with: root, site: "hq")
        #expect(beginning.kept == nil)
        #expect(try beginning.versions == versions(7))
    }

    @Test func metadataOutliveTheVersions() throws {
        _ = try used()
        try folder.write([UInt8](repeating: 0, count: 1024), to: RepositoryMemory.versionsName)
        let memory = try open()
        let beginning = try memory.begin(with: root, site: "hq")
        #expect(beginning.kept == [2])
        #expect(beginning.areVersionsLost)
        try memory.keep(.timestamp, [8], forgetting: [], versions: versions(8), root: root, site: "hq")
        #expect(try open().begin(with: root, site: "hq").versions == versions(8))
    }

    @Test(arguments: [("another root", "hq"), ("first root", "plant")])
    func anotherRootByHandOrAnotherSiteForgetsWhatTheOldOneSaid(text: String, site: String) throws {
        _ = try used()
        let memory = try open()
        let beginning = try memory.begin(with: Array(text.utf8), site: site)
        #expect(beginning.kept == Array(text.utf8))
        #expect(beginning.versions == TrustedVersions())
        #expect(try memory.load(.timestamp, limit: 10) == nil)
        #expect(try open().begin(with: Array(text.utf8), site: site).kept == Array(text.utf8))
    }

    @Test func whatIsToBeForgottenIsGoneAndItsVersionToo() throws {
        let memory = try used()
        try memory.keep(.root, [3], forgetting: [.timestamp, .snapshot], versions: versions(0), root: root, site: "hq")
        #expect(try memory.load(.timestamp, limit: 10) == nil)
        #expect(try open().begin(with: root, site: "hq").versions[.timestamp] == 0)
    }

    @Test func aTagBelongsToOneFileAtOneAddress() throws {
        let memory = try used()
        #expect(memory.tagged(url: "https://a/timestamp.json", limit: 10) == nil)
        memory.remember(tag: "\"t\"", of: [7], url: "https://a/timestamp.json")
        let tagged = memory.tagged(url: "https://a/timestamp.json", limit: 10)
        #expect(tagged?.tag == "\"t\"" && tagged?.timestamp == [7])
        #expect(memory.tagged(url: "https://b/timestamp.json", limit: 10) == nil)
        try memory.keep(.timestamp, [8], forgetting: [], versions: versions(8), root: root, site: "hq")
        #expect(memory.tagged(url: "https://a/timestamp.json", limit: 10) == nil)
    }
}
