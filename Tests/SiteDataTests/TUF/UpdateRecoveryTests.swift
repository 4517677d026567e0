import Encoding
import SignedRepository
import Testing
@testable import SiteData

@Suite("After a theft of keys honest versions count again (S5)")
struct UpdateRecoveryTests {
    var repository: TUFRepository
    var client: TUFClient
    static let far: Int64 = 1_000_000_000

    init() throws {
        repository = try TUFRepository()
        client = TUFClient(repository.firstRoot)
        client.floor = TrustedVersions()
    }

    /// Publishes roles with a number from far away, and has the client take them.
    private mutating func fastForward(_ roles: String...) throws {
        let honest = repository
        for role in roles { repository[role].version = Self.far }
        for role in ["people", "targets", "snapshot", "timestamp"] { try repository.publish(role) }
        #expect(client.run(repository, find: "people/full").found.count == 1)
        repository = honest
        try repository.release()
        #expect(client.run(repository).code == "rollback")
    }

    private mutating func rotate(_ role: String, _ keys: [TUFKey]) throws {
        repository.setKeys(of: role, keys)
        try repository.releaseRoot()
    }

    @Test("53: a snapshot from far away, recovered by a new key of snapshot alone")
    mutating func snapshot() throws {
        try fastForward("snapshot")
        try rotate("snapshot", [try TUFKey("new snapshot")])
        try repository.release()
        #expect(client.run(repository, find: "people/full").found.count == 1)
        #expect(client.version(.snapshot) == 3 && client.floor?[.snapshot] == 3)
    }

    @Test("54: a timestamp from far away, recovered by a new key")
    mutating func timestamp() throws {
        try fastForward("timestamp")
        try rotate("timestamp", [try TUFKey("new timestamp")])
        try repository.release()
        #expect(client.run(repository).report != nil)
        #expect(client.version(.timestamp) == 3 && client.floor?[.timestamp] == 3)
    }

    @Test("54: targets and people from far away, recovered by a new key of snapshot", arguments: ["targets", "people"])
    mutating func targets(_ role: String) throws {
        try fastForward(role)
        try rotate("snapshot", [try TUFKey("new snapshot")])
        try repository.release()
        #expect(client.run(repository, find: "people/full").found.count == 1)
        #expect(client.floor?[try RoleName(named: role)] == 1)
    }

    @Test("54: recovered by taking one of two keys away")
    mutating func oneOfTwo() throws {
        let stolen = try TUFKey("snapshot"), other = try TUFKey("other")
        repository.setKeys(of: "snapshot", [stolen, other])
        try repository.releaseRoot()
        repository["snapshot"].signers = [other]
        try repository.release()
        try fastForward("snapshot")
        try rotate("snapshot", [other])
        try repository.release()
        #expect(client.run(repository).report != nil)
    }

    @Test("54: recovered by a key that was replaced by itself by another name: nothing was taken from who has it")
    mutating func renamedKey() throws {
        try fastForward("snapshot")
        try rotate("snapshot", [try TUFKey("snapshot").called("another name")])
        try repository.release()
        #expect(client.run(repository).code == "rollback")
    }

    @Test("54: recovered although a later root takes the old key back")
    mutating func thereAndBack() throws {
        try fastForward("snapshot")
        let key = try TUFKey("snapshot")
        try rotate("snapshot", [try TUFKey("between")])
        try rotate("snapshot", [key])
        try repository.release()
        #expect(client.run(repository).report != nil)
    }

    @Test("54: recovered by a client that got the new root in another way")
    mutating func newRootByHand() throws {
        client.floor = nil
        try fastForward("snapshot")
        try rotate("snapshot", [try TUFKey("new snapshot")])
        try repository.release()
        client.folder[.root] = repository.files["2.root.json"]
        #expect(client.run(repository).report != nil)
    }

    @Test("54: a role may be dropped when the key of snapshot is replaced")
    mutating func droppedRole() throws {
        client.run(repository, find: "people/full")
        repository["snapshot"].body.set(["meta", "people.json"], nil)
        repository["targets"].body.set(["delegations"], nil)
        try rotate("snapshot", [try TUFKey("new snapshot")])
        try repository.release("targets")
        #expect(client.run(repository).report != nil)
        #expect(client.floor?.roles.map(\.description) == ["root", "snapshot", "targets", "timestamp"])
    }

    @Test("55: a key that is added, and a threshold, recover nothing", arguments: ["timestamp", "snapshot"])
    mutating func addedKey(_ role: String) throws {
        try fastForward(role)
        let old = try TUFKey(role), added = try TUFKey("added")
        try rotate(role, [old, added])
        repository.setKeys(of: role, [old, added], threshold: 2)
        try repository.releaseRoot()
        try repository.release()
        #expect(client.run(repository).code == "rollback")
    }

    @Test("The files of both roles are to be forgotten before the root is kept that replaces a key of either", arguments: ["timestamp", "snapshot"])
    mutating func forgetting(_ role: String) throws {
        client.run(repository)
        try rotate(role, [try TUFKey("new")])
        var update = try Update(root: repository.firstRoot, startedAt: TUFRepository.now, floor: client.floor)
        _ = update.start()
        let second = try #require(repository.files["2.root.json"])
        #expect(update.fetched(second) == .keep(.root, second, forgetting: [.timestamp, .snapshot]))
        #expect(update.versions.roles == [.root] && update.versions[.root] == 2)
        // Whatever lies in the folder is not asked for any more.
        guard case .fetch = update.kept(), case .fetch(let next) = update.notFetched(.missing) else {
            Issue.record("after the roots comes the timestamp")
            return
        }
        #expect(next.name == "timestamp.json")
    }

    @Test("A new key of targets alone: its old files count no more")
    mutating func targetsKey() throws {
        client.run(repository)
        try rotate("targets", [try TUFKey("new targets")])
        #expect(client.run(repository).code == "arbitrary-software")
        try repository.release("targets")
        #expect(client.run(repository).report?.changed == [.timestamp, .snapshot, .targets])
    }

    @Test("What somebody counted with keys of targets that root has replaced is forgotten, and nothing else is")
    mutating func targetsFromFarAway() throws {
        client.floor = TrustedVersions()
        let honest = repository
        repository["targets"].version = .max
        repository["snapshot"].version += 1
        repository["timestamp"].version += 1
        try repository.publish("targets", "snapshot", "timestamp")
        #expect(client.run(repository).report != nil)
        repository = honest
        repository["snapshot"].version += 1
        repository["timestamp"].version += 1
        try repository.release()
        #expect(client.run(repository).code == "rollback")
        let old = repository
        repository.setKeys(of: "targets", [try TUFKey("new targets")])
        try repository.releaseRoot()
        try repository.release("targets")
        #expect(client.run(repository).report != nil)
        #expect(client.floor?[.targets] == 2)
        // Snapshot and timestamp have the keys that they had.
        var earlier = old
        for name in ["2.root.json"] { earlier.serve(name, repository.files[name]) }
        #expect(client.run(earlier).code == "rollback")
    }
}
