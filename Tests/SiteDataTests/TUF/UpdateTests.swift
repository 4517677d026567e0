import Encoding
import SignedRepository
import Testing
@testable import SiteData

@Suite("An update of TUF metadata (S4)")
struct UpdateTests {
    var repository: TUFRepository
    var client: TUFClient

    init() throws {
        repository = try TUFRepository()
        client = TUFClient(repository.firstRoot)
    }

    @Test("The first one asks for four files and keeps three, byte for byte")
    mutating func first() throws {
        let outcome = client.run(repository)
        #expect(client.requests == ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
        let report = try #require(outcome.report)
        #expect(report.changed == [.timestamp, .snapshot, .targets])
        #expect(report.expires == TUFRepository.later)
        #expect(client.folder[.timestamp] == repository.files["timestamp.json"])
        #expect(client.folder[.snapshot] == repository.files["1.snapshot.json"])
        #expect(client.folder[.targets] == repository.files["1.targets.json"])
        #expect(client.folder.count == 4)
    }

    @Test("The next one with nothing new asks for the next root and the timestamp alone")
    mutating func nothingNew() {
        client.run(repository)
        let outcome = client.run(repository)
        #expect(client.requests == ["2.root.json", "timestamp.json"])
        #expect(outcome.report?.changed == [])
    }

    @Test("A new timestamp that names the same snapshot is all that is fetched")
    mutating func newTimestamp() throws {
        client.run(repository)
        repository["timestamp"].version = 2
        try repository.publish("timestamp")
        let outcome = client.run(repository)
        #expect(client.requests == ["2.root.json", "timestamp.json"])
        #expect(outcome.report?.changed == [.timestamp])
    }

    @Test("Of a timestamp with the known version nothing but its signature is looked at, and the known one stays")
    mutating func equalTimestamp() throws {
        client.run(repository)
        let known = client.folder[.timestamp]
        repository["timestamp"].body.set(["x-other"], true)
        repository["timestamp"].body.set(["meta", "snapshot.json", "version"], 9)
        try repository.publish("timestamp")
        #expect(client.run(repository).report != nil)
        #expect(client.folder[.timestamp] == known)
    }

    @Test("Without consistent snapshots files are asked for by their names alone; roots never are")
    mutating func namesAlone() throws {
        repository = try TUFRepository(consistentSnapshots: false)
        client = TUFClient(repository.firstRoot)
        let outcome = client.run(repository, find: "site/data", "people/full")
        #expect(client.requests == ["2.root.json", "timestamp.json", "snapshot.json", "targets.json", "people.json"])
        #expect(outcome.found.map(\.request.name) == ["site/data", "people/full"])
    }

    @Test("Without lengths and hashes in snapshot and timestamp versions alone count")
    mutating func noHashes() throws {
        repository.listsHashes = false
        try repository.release("people", "targets")
        #expect(client.run(repository, find: "people/full").found.count == 1)
    }

    @Test("Targets are found where they are described, with name, length, hash and what the product says")
    mutating func find() throws {
        repository["targets"].body.set(["targets", "site/data", "custom"], ["kind": "full"])
        try repository.release("targets")
        let outcome = client.run(repository, find: "site/data", "people/full", "people/none", "elsewhere")
        let data = try #require(outcome.found.first), people = try #require(outcome.found.last)
        #expect(data.role == .targets && people.role.description == "people")
        #expect(data.file.length == 5 && data.request.limit == 5 && data.request.place == .targets)
        #expect(data.file.custom?["kind"] == "full")
        #expect(data.request.name == "site/\(try #require(data.file.hashes.sha256)).data")
        #expect(outcome.notFound == ["people/none", "elsewhere"])
        #expect(outcome.visited == [["targets", "people"], ["targets"]])
        // The role was fetched once.
        #expect(client.requests.filter { $0 == "1.people.json" }.count == 1)
    }

    @Test("What the product adds to metadata can be read once it is verified")
    mutating func additions() throws {
        repository["people"].body.set(["x-tapstile-state"], ["version": 7])
        repository["timestamp"].body.set(["x-tapstile-issued"], 12)
        try repository.release("people")
        let outcome = client.run(repository, find: "people/full")
        #expect(outcome.report?.timestamp.header.additions["x-tapstile-issued"] == 12)
        let people = client.update?.verified(try RoleName(delegated: "people"))
        #expect(people?.header.additions["x-tapstile-state"]?["version"] == 7)
        #expect(people?.header.additions["version"] == nil)
        #expect(client.update?.verified(.root) == nil)
    }

    @Test("Several new roots are passed one by one, expired ones too, if the last one has not expired")
    mutating func roots() throws {
        repository["root"].expire(at: TUFRepository.now - 5)
        for name in ["a", "b"] {
            let old = repository["root"].signers
            repository.setKeys(of: "root", [try TUFKey(name)])
            try repository.releaseRoot(signedBy: old + [try TUFKey(name)])
        }
        repository["root"].expire(at: TUFRepository.later)
        try repository.releaseRoot(signedBy: [try TUFKey("b")])
        let outcome = client.run(repository)
        #expect(outcome.refusal == nil)
        #expect(client.requests.prefix(4) == ["2.root.json", "3.root.json", "4.root.json", "5.root.json"])
        #expect(client.folder[.root] == repository.files["4.root.json"])
        #expect(outcome.report?.changed.first == .root)
    }

    @Test("A root may demand more signatures of a role than it has keys: then nobody can sign for that role")
    mutating func tooFewKeys() throws {
        repository.setKeys(of: "snapshot", [try TUFKey("snapshot")], threshold: 5)
        try repository.releaseRoot()
        try repository.release()
        let outcome = client.run(repository)
        #expect(outcome.code == "arbitrary-software" && outcome.role == "snapshot")
        #expect(client.version(.root) == 2)
    }

    @Test("Files of the last run that are damaged are fetched again", arguments: [RoleName.timestamp, .snapshot, .targets])
    mutating func damaged(_ role: RoleName) throws {
        client.run(repository, find: "people/full")
        let good = try #require(client.folder[role])
        let root = try #require(client.folder[.root])
        let others: [[UInt8]] = [[], Array(good.dropLast()), root, Array("{}".utf8)]
        for bytes in others {
            client.folder[role] = bytes
            #expect(client.run(repository, find: "people/full").found.count == 1)
            #expect(client.folder[role] == good)
        }
    }

    @Test("A file of the last run that another one has replaced is verified like one that was fetched")
    mutating func forgedFile() throws {
        client.run(repository)
        let people = try RoleName(delegated: "people")
        client.folder[people] = repository.files["1.targets.json"]
        #expect(client.run(repository, find: "people/full").found.count == 1)
        #expect(client.folder[people] == repository.files["1.people.json"])
    }

    @Test("Time stands still during a run: what expires meanwhile still counts")
    mutating func expiryDuringRun() throws {
        #expect(client.run(repository, at: TUFRepository.later - 1, find: "people/full").found.count == 1)
        #expect(client.run(repository, at: TUFRepository.later).code == "freeze")
    }

    @Test("After a failure the next run goes on from what was kept")
    mutating func failures() throws {
        let names = ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"]
        for (place, name) in names.enumerated() {
            client.failures = [name: .unavailable("The server is away.")]
            let outcome = client.run(repository)
            #expect(outcome.code == "unavailable")
            #expect(outcome.refusal?.message == "The server is away.")
            #expect(client.folder.count == max(1, place))
        }
        client.failures = [:]
        #expect(client.run(repository).report?.changed == [.targets])
    }
}
