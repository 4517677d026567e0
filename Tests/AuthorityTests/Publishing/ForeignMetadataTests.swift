import Encoding
import Foundation
import Glibc
import Testing

@testable import Authority

/// Whoever could write to the repository had its numbers counted to their end, and its timestamp signed by the office's own key.
@Suite("Metadata that others have written or spoilt") struct ForeignMetadataTests {
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }
    var scratch: ScratchFolder { fixture.scratch }

    init() throws {
        fixture = try RepositoryFixture()
        try fixture.makeTogether()
    }

    /// The file of a role, with that number and signed by nobody.
    private func strangers(_ role: RepositoryRole, _ version: Int64) throws -> [UInt8] {
        var signed = try #require(try authority.signed(role))
        signed["version"] = .integer(version)
        signed["expires"] = "9999-12-31T23:59:59Z"
        return MetadataFile(signed).bytes
    }

    @Test(arguments: [7, Int64.max - 1, Int64.max])
    func aStrangersNumberIsNotCounted(version: Int64) throws {
        try scratch.write("repo/metadata/timestamp.json", strangers(.timestamp, version))
        try scratch.write("repo/metadata/\(version).snapshot.json", strangers(.snapshot, version))
        for last in [2, 3] as [Int64] {
            try fixture.enrol("person \(last)")
            let told = try authority.publish(now: now)
            #expect(told.versions[.timestamp] == last && told.versions[.snapshot] == last && told.versions[.people] == last)
            #expect(told.warnings == [.stranger(path: fixture.path + "/metadata/\(version).snapshot.json")])
        }
        _ = try fixture.check()
    }

    /// One empty file kept each ban in the office. What was published is noted beside it: a number above that is a stranger's.
    @Test(arguments: [true, false]) func aStrangersPeopleStopNoRevocation(isEmpty: Bool) throws {
        try scratch.makeFolder("notes")
        authority.notes = scratch.path("notes")
        _ = try authority.publish(now: now)
        try scratch.write("repo/metadata/\(Int64.max).people.json", isEmpty ? [] : strangers(.people, .max))
        try fixture.enrol("anna")
        let told = try authority.publish(now: now)
        #expect(told.versions[.people] == 2 && told.warnings == [.stranger(path: fixture.path + "/metadata/\(Int64.max).people.json")])
        _ = try fixture.check()
    }

    @Test func aStickIsWrittenOverNoOtherRepository() throws {
        let other = try RepositoryFixture()
        try other.makeTogether()
        let root = try other.scratch.bytes("repo/metadata/1.root.json")
        #expect(throws: AuthorityError.repository(.stickOfOthers(path: other.path))) { try authority.publishStick(to: other.path, validSeconds: 86_400, now: now) }
        #expect(try other.scratch.bytes("repo/metadata/1.root.json") == root)
        _ = try authority.publishStick(to: scratch.path("stick"), validSeconds: 86_400, now: now)
        _ = try authority.publishStick(to: scratch.path("stick"), validSeconds: 86_400, now: now)
    }

    @Test func noTimestampGoesOnFromAStrangers() throws {
        let key = scratch.path("site/roles/timestamp-1.key"), file = "repo/metadata/timestamp.json"
        for version in [1, Int64.max] {
            let bytes = try strangers(.timestamp, version)
            try scratch.write(file, bytes)
            #expect(throws: AuthorityError.repository(.strangeTimestamp(path: scratch.path(file)))) {
                try TimestampRefresh.run(repositoryAt: fixture.path, keysAt: [key], now: now)
            }
            #expect(try scratch.bytes(file) == bytes)
        }
        #expect(try authority.refreshTimestamp(now: now).expires == now + 3 * 86_400, "the office has its own")
        _ = try TimestampRefresh.run(repositoryAt: fixture.path, keysAt: [key], now: now)
        _ = try fixture.check()
    }

    /// It hid the root that counts, and the hourly timestamps stopped.
    @Test func noTimestampIsHeldUpByAStrangersRoot() throws {
        let key = scratch.path("site/roles/timestamp-1.key")
        for bytes in try [Array("{}".utf8), strangers(.root, 77)] {
            try scratch.write("repo/metadata/77.root.json", bytes)
            _ = try authority.refreshTimestamp(now: now)
            _ = try TimestampRefresh.run(repositoryAt: fixture.path, keysAt: [key], now: now)
            #expect(try authority.publish(now: now).warnings == [.stranger(path: fixture.path + "/metadata/77.root.json")])
        }
    }

    /// Published once, dated at the end of all time, and named by nobody any more.
    @Test func aFileOfTheLastSecondStopsNoPublication() throws {
        try scratch.write("repo/metadata/9.snapshot.json", [1])
        let last = timespec(tv_sec: .max, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, scratch.path("repo/metadata/9.snapshot.json"), [last, last], 0) == 0)
        try fixture.enrol("anna")
        _ = try authority.publish(now: now)
    }

    @Test func aStrangersTimestampIsNamedBeforeItsDate() throws {
        var signed = try #require(try authority.signed(.timestamp))
        signed["x-tapstile-issued"] = "2036-01-01T00:00:00Z"
        let file = "repo/metadata/timestamp.json"
        try scratch.write(file, MetadataFile(signed).bytes)
        #expect(throws: AuthorityError.repository(.strangeTimestamp(path: scratch.path(file)))) {
            try TimestampRefresh.run(repositoryAt: fixture.path, keysAt: [scratch.path("site/roles/timestamp-1.key")], now: now)
        }
    }

    @Test(arguments: ["1.root.json", "1.targets.json", "1.people.json", "1.snapshot.json", "timestamp.json"])
    func whatTheOfficeHasIsWrittenAnew(name: String) throws {
        for bytes in try [[], [1], scratch.bytes("repo/metadata/\(name)") + [0x20]] as [[UInt8]] {
            try scratch.write("repo/metadata/\(name)", bytes)
            _ = try authority.publish(now: now)
            _ = try fixture.check()
        }
    }

    /// Gates would ask for it, and the office has none to put in its place.
    @Test func whatCannotBeMadeGoodIsNamed() throws {
        try scratch.write("repo/metadata/2.root.json", [1])
        expectRefusal("tuf-malformed-metadata", of: "repo/metadata/2.root.json")
        try scratch.remove("repo/metadata/2.root.json")
        let target = "repo/targets/people/\(try #require(scratch.names("repo/targets/people").first))"
        try scratch.write(target, scratch.bytes(target).map { $0 ^ 1 })
        expectRefusal("tuf-wrong-target-hash", of: target)
        try scratch.remove(target)
        _ = try authority.publish(now: now)
        _ = try fixture.check()
    }

    private func expectRefusal(_ code: String, of name: String) {
        do {
            _ = try authority.publish(now: now)
            Issue.record("it was published")
        } catch {
            #expect(error.code == code && error.message.contains(scratch.path(name)))
        }
    }

    @Test(arguments: ["site", "people"])
    func aTargetWithoutItsLengthIsMadeAnew(folder: String) throws {
        for name in try scratch.names("repo/targets/\(folder)") { try scratch.write("repo/targets/\(folder)/\(name)", [1]) }
        _ = try authority.publish(now: now)
        _ = try fixture.check()
    }
}
