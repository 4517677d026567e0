import Encoding
import Testing
@testable import SiteData

@Suite("What metadata says of targets")
struct TargetsMetadataTests {
    private func path(_ text: String) throws -> TargetPath { try #require(TargetPath(text)) }

    @Test("Targets, hashes and what the product adds")
    func targets() throws {
        let targets = try TargetsMetadata(try SignedMetadata(try MetadataFile.bytes("targets")))
        let rules = try #require(targets.target(try path("site/rules.cbor")))
        #expect(targets.header.version == 3)
        #expect(targets.header.expires == 2_211_611_400)
        #expect(rules.length == 5)
        #expect(rules.hashes.isVerifiable && rules.hashes.sha512 == nil)
        #expect(rules.custom?["kind"] == "full")
        #expect(targets.target(try path("site/other")) == nil)
    }

    @Test("Delegations by pattern, in their order")
    func delegations() throws {
        let targets = try TargetsMetadata(try SignedMetadata(try MetadataFile.bytes("targets")))
        #expect(targets.delegations.map(\.role.description) == ["people", "bin/0"])
        let people = targets.delegations[0], bin = targets.delegations[1]
        #expect(people.isTerminating && !bin.isTerminating)
        #expect(people.covers(try path("people/0.cbor")))
        #expect(!people.covers(try path("people/0/cbor")))
        #expect(bin.role.fileName(version: 4) == "4.bin%2F0.json")
        #expect(bin.covers(try path("bin/x")))
        #expect(!bin.covers(try path("people/0.cbor")))
    }

    @Test("A delegated role is signed by the keys of who delegates")
    func delegated() throws {
        let targets = try TargetsMetadata(try SignedMetadata(try MetadataFile.bytes("targets")))
        let people = try SignedMetadata(try MetadataFile.bytes("people"))
        let keys = try #require(targets.keys(of: try RoleName(delegated: "people")))
        #expect(SignatureCount(people, by: keys, of: targets.keys).isReached)
        #expect(targets.keys(of: try RoleName(delegated: "nobody")) == nil)
    }

    @Test("A snapshot lists every role, a timestamp the snapshot")
    func snapshot() throws {
        let snapshot = try SnapshotMetadata(try SignedMetadata(try MetadataFile.bytes("snapshot")))
        #expect(snapshot.files.count == 3)
        #expect(snapshot.file(of: try RoleName(delegated: "people"))?.version == 7)
        #expect(snapshot.file(of: try RoleName(delegated: "bin/0"))?.hashes == nil)
        let length = try MetadataFile.bytes("targets").count
        #expect(snapshot.file(of: .targets)?.length == Int64(length))
        let timestamp = try TimestampMetadata(try SignedMetadata(try MetadataFile.bytes("timestamp")))
        #expect(timestamp.snapshot.version == snapshot.header.version)
    }

    @Test("No delegated role is called as one of the four, or so that no file can be", arguments: [
        "", "root", "timestamp", "snapshot", "targets", String(repeating: "a", count: 201), String(repeating: "/", count: 67)
    ])
    func roleNames(_ name: String) {
        #expect(throws: MetadataFault.unsafeRoleName(name)) { try RoleName(delegated: name) }
    }

    @Test("A hash that would lead to another folder is none")
    func hashes() {
        #expect(throws: MetadataFault.field("hashes.sha256")) {
            try FileHashes(try MetadataFields(["sha256": "../../x"], "hashes"))
        }
        #expect(throws: MetadataFault.field("hashes")) { try FileHashes(try MetadataFields([:], "hashes")) }
        #expect((try? FileHashes(try MetadataFields(["md9": "x"], "hashes")))?.isVerifiable == false)
    }
}
