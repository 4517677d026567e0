import Encoding
import Foundation
import SignedRepository
import Testing
@testable import SiteData

@Suite("Attacks on timestamp, snapshot and targets are refused and named (S5)")
struct UpdateAttackTests {
    var repository: TUFRepository
    var client: TUFClient

    init() throws {
        repository = try TUFRepository()
        client = TUFClient(repository.firstRoot)
    }

    private func expectRefused(_ outcome: TUFClient.Outcome, _ code: String, _ role: String) {
        #expect(outcome.code == code && outcome.role == role)
    }

    @Test("10: one key by two names does not sign twice for snapshot")
    mutating func oneKeyTwoNames() throws {
        let key = try TUFKey("snapshot")
        repository.setKeys(of: "snapshot", [key, key.called("another name")], threshold: 2)
        try repository.releaseRoot()
        try repository.release()
        expectRefused(client.run(repository), "arbitrary-software", "snapshot")
    }

    @Test("14–17: a role signed by a stranger", arguments: ["timestamp", "snapshot", "targets", "people"])
    mutating func signedByStranger(_ role: String) throws {
        repository[role].signers = [try TUFKey("stranger")]
        try repository.release("people", "targets")
        expectRefused(client.run(repository, find: "people/full"), "arbitrary-software", role)
        #expect(client.version(try RoleName(named: role)) == nil)
    }

    @Test("A role signed by nobody, or by a stranger under the name of its key", arguments: ["timestamp", "snapshot", "targets", "people"])
    mutating func unsigned(_ role: String) throws {
        repository[role].signers = []
        try repository.release("people", "targets")
        expectRefused(client.run(repository, find: "people/full"), "arbitrary-software", role)
        repository[role].signers = [try TUFKey("stranger").called(try TUFKey(role).identifier)]
        try repository.release("people", "targets")
        expectRefused(client.run(repository, find: "people/full"), "arbitrary-software", role)
    }

    @Test("18: the key of the timestamp signs a snapshot")
    mutating func timestampKeySignsSnapshot() throws {
        repository["snapshot"].signers = [try TUFKey("timestamp")]
        try repository.release()
        expectRefused(client.run(repository), "arbitrary-software", "snapshot")
    }

    @Test("19: a snapshot in the place of the timestamp, signed by both keys")
    mutating func snapshotAsTimestamp() throws {
        repository["snapshot"].signers = [try TUFKey("timestamp"), try TUFKey("snapshot")]
        repository.serve("timestamp.json", try repository["snapshot"].file())
        expectRefused(client.run(repository), "wrong-role", "timestamp")
    }

    @Test("20: an older timestamp")
    mutating func timestampRollback() throws {
        repository["timestamp"].version = 5
        try repository.publish("timestamp")
        client.run(repository)
        repository["timestamp"].version = 4
        try repository.publish("timestamp")
        expectRefused(client.run(repository), "rollback", "timestamp")
        #expect(client.version(.timestamp) == 5)
    }

    @Test("21: a new timestamp that names an older snapshot")
    mutating func snapshotRollback() throws {
        try repository.release()
        client.run(repository)
        repository["snapshot"].version = 1
        try repository.publish("snapshot")
        repository["timestamp"].version += 1
        try repository.publish("timestamp")
        expectRefused(client.run(repository), "rollback", "timestamp")
        #expect(client.version(.timestamp) == 2 && client.version(.snapshot) == 2)
    }

    @Test("22, 23: a new snapshot that names an older role", arguments: ["targets", "people"])
    mutating func roleRollback(_ role: String) throws {
        try repository.release("people", "targets")
        client.run(repository)
        repository[role].version = 1
        try repository.publish(role)
        try repository.release()
        expectRefused(client.run(repository), "rollback", "snapshot")
        #expect(client.version(.snapshot) == 2 && client.version(.timestamp) == 3)
    }

    @Test("24: a role dropped from the snapshot")
    mutating func roleDropped() throws {
        client.run(repository)
        repository["snapshot"].body.set(["meta", "people.json"], nil)
        try repository.release()
        expectRefused(client.run(repository), "role-removed", "snapshot")
    }

    @Test("25: an old repository after the folder was lost, where versions are kept beside it")
    mutating func rollbackAfterLostFolder() throws {
        let old = repository
        client.floor = TrustedVersions()
        try repository.release("people", "targets")
        client.run(repository, find: "people/full")
        let lost = TUFClient(repository.firstRoot)
        client.folder = lost.folder
        expectRefused(client.run(old), "rollback", "timestamp")
        let people = try RoleName(delegated: "people")
        for role in [RoleName.timestamp, .snapshot, .targets, people] {
            var other = lost
            other.floor = client.floor?.restricted(to: [role])
            #expect(other.run(old).code == "rollback")
            #expect(other.run(repository, find: "people/full").found.count == 1)
        }
        #expect(client.run(repository).report != nil)
    }

    @Test("26–29: a role that has expired; those above it are kept", arguments: ["timestamp", "snapshot", "targets", "people"])
    mutating func freeze(_ role: String) throws {
        repository[role].expire(at: TUFRepository.now)
        try repository.release("people", "targets")
        expectRefused(client.run(repository, find: "people/full"), "freeze", role)
        let order = ["timestamp", "snapshot", "targets", "people"]
        for (place, name) in order.enumerated() {
            #expect((client.version(try RoleName(named: name)) != nil) == (place < (order.firstIndex(of: role) ?? 0)))
        }
    }

    @Test("30: the same timestamp until it has expired")
    mutating func freezeByEqualTimestamp() throws {
        repository["timestamp"].expire(at: TUFRepository.now + 10)
        try repository.publish("timestamp")
        #expect(client.run(repository).report?.expires == TUFRepository.now + 10)
        expectRefused(client.run(repository, at: TUFRepository.now + 10), "freeze", "timestamp")
    }

    @Test("What was good in the last run and has expired since is asked for again", arguments: ["snapshot", "targets", "people"])
    mutating func expiredSince(_ role: String) throws {
        repository[role].expire(at: TUFRepository.now + 10)
        try repository.release("people", "targets")
        #expect(client.run(repository, find: "people/full").found.count == 1)
        expectRefused(client.run(repository, at: TUFRepository.now + 10, find: "people/full"), "freeze", role)
        #expect(client.requests.last == "2.\(role).json")
    }

    @Test("32: an old snapshot under the name of the new one")
    mutating func mixSnapshotHash() throws {
        let old = try #require(repository.files["1.snapshot.json"])
        try repository.release()
        repository.serve("2.snapshot.json", old)
        expectRefused(client.run(repository), "mix-and-match", "snapshot")
        repository.listsHashes = false
        try repository.release()
        repository.serve("3.snapshot.json", old)
        expectRefused(client.run(repository), "mix-and-match", "snapshot")
        #expect(client.version(.timestamp) == 3 && client.version(.snapshot) == nil)
    }

    @Test("33: a snapshot with another version than its name says")
    mutating func mixSnapshotVersion() throws {
        repository.listsHashes = false
        try repository.release()
        repository["snapshot"].version = 3
        repository.serve("2.snapshot.json", try repository["snapshot"].file())
        expectRefused(client.run(repository), "mix-and-match", "snapshot")
    }

    @Test("34: targets with another hash, length or version than the snapshot says", arguments: ["hashes", "length", "version"])
    mutating func mixTargets(_ field: String) throws {
        let other: JSON = switch field {
        case "hashes": ["sha256": .string(String(repeating: "0", count: 64))]
        case "length": 17
        default: 2
        }
        repository["snapshot"].body.set(["meta", "targets.json", field], other)
        if field == "version" { repository.serve("2.targets.json", repository.files["1.targets.json"]) }
        try repository.release()
        let outcome = client.run(repository)
        // A file that is longer than it may be is not even fetched to its end.
        expectRefused(outcome, field == "length" ? "endless-data" : "mix-and-match", "targets")
        #expect(client.version(.snapshot) == 2)
    }

    @Test("A file that is shorter than it must be", arguments: ["snapshot", "targets"])
    mutating func shorter(_ role: String) throws {
        let file = try #require(repository.files["1.\(role).json"])
        repository.serve("1.\(role).json", Array(file.dropLast()))
        expectRefused(client.run(repository), "mix-and-match", role)
    }

    @Test("A file with hashes of unknown kinds only; beside a known one they count nothing")
    mutating func unknownHashes() throws {
        repository["timestamp"].body.set(["meta", "snapshot.json", "hashes", "md9"], "x")
        repository["timestamp"].version = 2
        try repository.publish("timestamp")
        #expect(client.run(repository).report != nil)
        client = TUFClient(repository.firstRoot)
        repository["timestamp"].body.set(["meta", "snapshot.json", "hashes"], ["md9": "x"])
        try repository.publish("timestamp")
        expectRefused(client.run(repository), "unknown-hash", "snapshot")
    }

    @Test("38–40: files without end, too slow, or broken off", arguments: ["timestamp.json", "1.snapshot.json", "1.targets.json", "1.people.json"])
    mutating func badServer(_ name: String) {
        let failures: [(FetchFailure, String)] = [
            (.endless, "endless-data"), (.slow, "slow-retrieval"), (.unavailable("x"), "unavailable"), (.missing, "missing-file")
        ]
        for (failure, code) in failures {
            client = TUFClient(repository.firstRoot)
            client.failures = [name: failure]
            #expect(client.run(repository, find: "people/full").code == code)
        }
    }

    @Test("38: nobody is asked for more bytes than the limits or the length that is signed, and no more are taken")
    mutating func limits() throws {
        var update = try Update(root: repository.firstRoot, startedAt: TUFRepository.now, limits: UpdateLimits(root: 10))
        guard case .fetch(let request) = update.start() else {
            Issue.record("a run begins with the next root")
            return
        }
        #expect(request.limit == 10)
        #expect(update.fetched([UInt8](repeating: 0x20, count: 11)) == .refused(UpdateRefusal(.root, .endlessData(limit: 10))))
        client.limits = UpdateLimits(timestamp: 10)
        expectRefused(client.run(repository), "endless-data", "timestamp")
        client.limits = UpdateLimits(snapshot: 10)
        expectRefused(client.run(repository), "endless-data", "snapshot")
        client.limits = UpdateLimits(targets: 10)
        expectRefused(client.run(repository), "endless-data", "targets")
    }

    @Test("52: text that programs read in more than one way, or not at all", arguments: [
        ("{\"signatures\":", "{\"signatures\":[],\"signatures\":"), ("\"version\":1}", "\"version\":1.0}"), ("\"version\":1}", "\"version\":1e0}"),
        ("\"version\":1}", "\"version\":9223372036854775808}"), ("\"version\":1}", "\"version\":NaN}"), ("\"version\":1}", "\"version\":1}}"),
        ("{\"signatures\":", "\u{FEFF}{\"signatures\":"), ("\"1.0.34\"", "\"1.0.\\ud83d\""), ("\"version\":1}", "\"version\":1,}"),
        ("\"version\":1}", "\"x\":@deep@,\"version\":1}"), ("\"version\":1}", "\"x\":@many@,\"version\":1}")
    ])
    mutating func ambiguousText(_ text: String, _ other: String) throws {
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let many = "[" + String(repeating: "[],", count: 1_000_000) + "1]"
        let file = String(decoding: try #require(repository.files["timestamp.json"]), as: UTF8.self)
        let range = try #require(file.range(of: text))
        let changed = file.replacingCharacters(in: range, with: other)
            .replacingOccurrences(of: "@deep@", with: deep).replacingOccurrences(of: "@many@", with: many)
        repository.serve("timestamp.json", Array(changed.utf8))
        client.limits = UpdateLimits(timestamp: 5_000_000)
        expectRefused(client.run(repository), "malformed-metadata", "timestamp")
    }

    @Test("Fields that are signed and wrong", arguments: [
        ("version", 0), ("version", -1), ("version", "1"), ("version", true), ("version", nil), ("expires", "2040-01-31T08:30:60Z"),
        ("expires", "2040-01-31T08:30:00+00:00"), ("expires", "2040-01-31"), ("expires", 2_000_000_000), ("_type", nil), ("_type", 1),
        ("spec_version", nil), ("meta", nil), ("meta", [:]), ("meta", ["snapshot.json": ["version": 0]]), ("meta", ["snapshot.json": 1]),
        ("meta", ["snapshot.json": ["version": 1, "length": -1]]), ("meta", ["snapshot.json": ["version": 1, "hashes": ["sha256": "../../x"]]])
    ] as [(String, JSON?)])
    mutating func wrongFields(_ field: String, _ value: JSON?) throws {
        repository["timestamp"].body.set([field], value)
        try repository.publish("timestamp")
        expectRefused(client.run(repository), "malformed-metadata", "timestamp")
    }

    @Test("Metadata of another major version", arguments: ["2.0.0", "1", "1.0.0.0", "", "1.x", "10.0"])
    mutating func otherSpecification(_ version: String) throws {
        repository["timestamp"].body.set(["spec_version"], .string(version))
        try repository.publish("timestamp")
        expectRefused(client.run(repository), "unsupported-spec", "timestamp")
    }
}
