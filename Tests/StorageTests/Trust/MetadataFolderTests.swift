import SiteData
import Testing
import Threads
@testable import Storage

@Suite("The folder of verified metadata (S5)")
struct MetadataFolderTests {
    let place: TemporaryFolder
    let folder: MetadataFolder

    init() throws {
        place = try TemporaryFolder()
        folder = MetadataFolder(path: place.path)
    }

    @Test("What is kept is loaded byte for byte, under the name of the role without a version")
    func keepAndLoad() throws {
        let bytes = Array("{ }\n\0 ".utf8)
        let people = try RoleName(delegated: "../people?")
        try folder.keep(.timestamp, bytes)
        try folder.keep(people, [])
        #expect(place.names == ["..%2Fpeople%3F.json", "timestamp.json"])
        #expect(try folder.load(.timestamp, limit: bytes.count) == bytes)
        #expect(try folder.load(people, limit: 0) == [])
        try folder.keep(.timestamp, [1])
        #expect(try folder.load(.timestamp, limit: 10) == [1])
        #expect(place.names.count == 2)
    }

    @Test("There is nothing where there is no file, or a longer one than anybody may have kept")
    func nothing() throws {
        #expect(try folder.load(.root, limit: 10) == nil)
        try folder.keep(.root, [UInt8](repeating: 0x20, count: 11))
        #expect(try folder.load(.root, limit: 10) == nil)
        #expect(try folder.load(.root, limit: 11)?.count == 11)
    }

    @Test("Forgotten roles are gone when the new file is there, and it is no fault if they never were")
    func forgetting() throws {
        for role in [RoleName.timestamp, .targets] { try folder.keep(role, [1]) }
        try folder.keep(.root, [2], forgetting: [.timestamp, .snapshot])
        #expect(place.names == ["root.json", "targets.json"])
    }

    @Test("The old file stays when a role cannot be forgotten, or the new one not be written")
    func failure() throws {
        try folder.keep(.root, [1])
        try place.makeFolder("snapshot.json")
        #expect(throws: SystemError.self) { try folder.keep(.root, [2], forgetting: [.snapshot]) }
        #expect(throws: SystemError.self) { try folder.load(.snapshot, limit: 10) }
        #expect(try folder.load(.root, limit: 10) == [1])
        try place.makeFolder("targets.json")
        #expect(throws: SystemError.self) { try folder.keep(.targets, [2]) }
        #expect(place.names == ["root.json", "snapshot.json", "targets.json"])
    }
}
