import Encoding
import SignedRepository
import Testing
@testable import SiteData

@Suite("Attacks on a repository's root are refused and named (S5)")
struct UpdateRootAttackTests {
    var repository: TUFRepository
    var client: TUFClient
    let old: TUFKey, new: TUFKey

    init() throws {
        repository = try TUFRepository()
        client = TUFClient(repository.firstRoot)
        old = try TUFKey("root")
        new = try TUFKey("new")
    }

    /// Runs: nothing but roots is asked for, and the first one stays.
    private mutating func expectRefused(_ code: String, kept: Int64 = 1) {
        let outcome = client.run(repository)
        #expect(outcome.code == code && outcome.role == "root")
        #expect(client.version(.root) == kept)
        #expect(client.requests.allSatisfy { $0.hasSuffix(".root.json") })
    }

    @Test("There must be a root to begin with, signed by itself")
    mutating func badTrustedRoot() throws {
        for root in [[], Array("{}".utf8), try #require(repository.files["timestamp.json"])] {
            client.folder[.root] = root
            #expect(client.run(repository).code == "bad-trusted-root")
        }
        repository["root"].signers = [new]
        try repository.publishRoot()
        client.folder[.root] = repository.firstRoot
        #expect(client.run(repository).code == "bad-trusted-root")
        #expect(client.requests.isEmpty)
    }

    @Test("A root to begin with may have expired")
    mutating func expiredTrustedRoot() throws {
        repository["root"].expire(at: 1)
        try repository.publishRoot()
        client.folder[.root] = repository.firstRoot
        repository["root"].expire(at: TUFRepository.later)
        try repository.releaseRoot()
        #expect(client.run(repository).report != nil)
    }

    @Test("1: a root signed by its new key only")
    mutating func rootSignedOnlyByNewKey() throws {
        repository.setKeys(of: "root", [new])
        try repository.releaseRoot(signedBy: [new])
        expectRefused("root-not-continued")
    }

    @Test("2: a root signed by its old key only")
    mutating func rootSignedOnlyByOldKey() throws {
        repository.setKeys(of: "root", [new])
        try repository.releaseRoot(signedBy: [old])
        expectRefused("root-not-self-signed")
    }

    @Test("3: a root that lowers the threshold, signed by as many as it demands itself")
    mutating func rootBelowOldThreshold() throws {
        let keys = [old, new, try TUFKey("third")]
        repository.setKeys(of: "root", keys, threshold: 3)
        repository["root"].signers = keys
        try repository.publishRoot()
        client = TUFClient(repository.firstRoot)
        repository.setKeys(of: "root", keys, threshold: 2)
        try repository.releaseRoot(signedBy: [old, new])
        expectRefused("root-not-continued")
    }

    @Test("4, 5: a root with another version than the next", arguments: [3, 1] as [Int64])
    mutating func rootSkipsOrRepeats(_ version: Int64) throws {
        repository["root"].version = version
        try repository.publishRoot(as: 2)
        expectRefused("root-skipped")
    }

    @Test("6: the last root has expired: it is kept, and nothing else is asked for")
    mutating func finalRootExpired() throws {
        try repository.releaseRoot()
        repository["root"].expire(at: TUFRepository.now)
        try repository.releaseRoot()
        expectRefused("freeze", kept: 3)
        #expect(client.requests == ["2.root.json", "3.root.json", "4.root.json"])
    }

    @Test("8: roots without end; what was kept stays, and the next run goes on")
    mutating func endlessRootChain() throws {
        client.limits = UpdateLimits(newRoots: 5)
        for _ in 0..<10 { try repository.releaseRoot() }
        expectRefused("too-many-roots", kept: 6)
        #expect(client.run(repository).report != nil)
        #expect(client.version(.root) == 11)
    }

    @Test("9: one key by two names does not sign twice for root")
    mutating func oneKeyTwoNames() throws {
        let other = new.called("another name")
        repository.setKeys(of: "root", [new, other], threshold: 2)
        try repository.releaseRoot(signedBy: [old, new, other])
        expectRefused("root-not-self-signed")
    }

    @Test("11: a key twice in a role")
    mutating func keyTwiceInRole() throws {
        repository.setKeys(of: "timestamp", [old, old])
        try repository.releaseRoot()
        expectRefused("duplicate-key")
    }

    @Test("12: two signatures of one key, equal or not, whatever else has signed")
    mutating func signatureTwice() throws {
        try repository.releaseRoot(signedBy: [old, old])
        expectRefused("duplicate-signature")
        repository["root"].version = 1
        try repository.releaseRoot(signedBy: [old, new.called(old.identifier)])
        expectRefused("duplicate-signature")
    }

    @Test("13: a threshold that is no whole number from 1 on", arguments: [0, -1, "1", true, .null, [1]] as [JSON])
    mutating func threshold(_ threshold: JSON) throws {
        repository.setKeys(of: "snapshot", [old], threshold: threshold)
        try repository.releaseRoot()
        expectRefused("malformed-metadata")
    }

    @Test("A root without one of its four roles", arguments: ["root", "timestamp", "snapshot", "targets"])
    mutating func missingRole(_ role: String) throws {
        repository["root"].body.set(["roles", role], nil)
        try repository.releaseRoot()
        expectRefused("malformed-metadata")
    }

    @Test("Keys of unknown kinds and roles of other names spoil no root")
    mutating func unknownKeys() throws {
        repository["root"].body.set(["keys", "later"], ["keytype": "ml-dsa", "scheme": "ml-dsa-65", "keyval": ["public": "00"]])
        repository["root"].body.set(["keys", "broken"], ["keytype": "ed25519", "scheme": "ed25519", "keyval": ["public": "0"]])
        repository["root"].body.set(["roles", "mirrors"], ["keyids": ["later"], "threshold": 1])
        repository["root"].body.set(["roles", "targets", "keyids"], [.string(try TUFKey("targets").identifier), "later", "broken"])
        try repository.releaseRoot()
        #expect(client.run(repository).report != nil)
        #expect(client.version(.root) == 2)
    }

    @Test("38: a root without end")
    mutating func endlessRoot() throws {
        client.failures = ["2.root.json": .endless]
        expectRefused("endless-data")
    }

    @Test("An old root is refused where a later one is known")
    mutating func rootBelowFloor() throws {
        var floor = TrustedVersions()
        floor[.root] = 2
        client.floor = floor
        expectRefused("rollback")
        try repository.releaseRoot()
        #expect(client.run(repository).report != nil)
    }

    @Test("There is no root after the one with the last number")
    mutating func lastNumber() throws {
        repository["root"].version = .max
        try repository.publishRoot()
        client = TUFClient(try #require(repository.files["\(Int64.max).root.json"]))
        #expect(client.run(repository).report != nil)
        #expect(client.requests.first == "timestamp.json")
    }
}
