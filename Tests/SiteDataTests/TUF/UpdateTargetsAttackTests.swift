import Encoding
import SignedRepository
import Testing
@testable import SiteData

@Suite("Attacks on targets and delegations are refused and named (S5)")
struct UpdateTargetsAttackTests {
    var repository: TUFRepository
    var client: TUFClient

    init() throws {
        repository = try TUFRepository()
        client = TUFClient(repository.firstRoot)
    }

    /// A target, and the check it is held against.
    private mutating func check(_ path: String) throws -> TargetCheck {
        TargetCheck(try #require(client.run(repository, find: path).found.first))
    }

    private func refusal(_ pieces: [[UInt8]], _ check: TargetCheck) -> String? {
        var check = check
        do throws(UpdateRefusal) {
            for piece in pieces { try check.add(piece) }
            try check.finish()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("35: a target that was swapped, or is longer, shorter or empty")
    mutating func swappedTarget() throws {
        let check = try check("site/data")
        let good = Array("rules".utf8)
        #expect(refusal([good], check) == nil)
        #expect(refusal(good.map { [$0] } + [[]], check) == nil)
        #expect(refusal([Array("RULES".utf8)], check) == "tuf-wrong-target-hash")
        #expect(refusal([good, [0]], check) == "tuf-wrong-target-length")
        #expect(refusal([good + [0]], check) == "tuf-wrong-target-length")
        #expect(refusal([Array(good.dropLast())], check) == "tuf-wrong-target-length")
        #expect(refusal([], check) == "tuf-wrong-target-length")
    }

    @Test("35: both hashes must fit; upper case is as good")
    mutating func bothHashes() throws {
        let hashes = try #require(repository["targets"].body.at("targets", "site/data", "hashes"))
        let first = try #require(hashes["sha256"]?.string)
        let wrong = JSON.string(String(repeating: "0", count: 128))
        for (value, code) in [(wrong, "tuf-wrong-target-hash"), (nil, nil)] as [(JSON?, String?)] {
            repository["targets"].body.set(["targets", "site/data", "hashes", "sha512"], value)
            repository["targets"].body.set(["targets", "site/data", "hashes", "sha256"], .string(first.uppercased()))
            try repository.release("targets")
            #expect(refusal([Array("rules".utf8)], try check("site/data")) == code)
        }
    }

    @Test("36: a target with hashes of unknown kinds only; beside a known one they count nothing")
    mutating func unknownHashes() throws {
        repository["targets"].body.set(["targets", "site/data", "hashes", "md9"], "x")
        try repository.release("targets")
        #expect(client.run(repository, find: "site/data").found.count == 1)
        repository["targets"].body.set(["targets", "site/data", "hashes"], ["md9": "x"])
        try repository.release("targets")
        #expect(client.run(repository, find: "site/data").code == "unknown-hash")
    }

    @Test("37: a hash that leads to another folder", arguments: [
        "../../x", "", "00", String(repeating: "g", count: 64), String(repeating: "/", count: 64), String(repeating: "0", count: 63)
    ])
    mutating func hashInjectsPath(_ hash: String) throws {
        repository["targets"].body.set(["targets", "site/data", "hashes", "sha256"], .string(hash))
        try repository.release("targets")
        let outcome = client.run(repository)
        #expect(outcome.code == "malformed-metadata" && outcome.role == "targets")
    }

    @Test("41: roles that delegate to each other, and to themselves")
    mutating func delegationLoop() throws {
        try repository.delegate(from: "targets", to: "a", paths: ["*"])
        try repository.delegate(from: "a", to: "a", paths: ["*"])
        try repository.delegate(from: "a", to: "b", paths: ["*"])
        try repository.delegate(from: "b", to: "a", paths: ["*"])
        try repository.release("a", "b", "targets")
        let outcome = client.run(repository, find: "x")
        #expect(outcome.notFound == ["x"] && outcome.visited == [["targets", "a", "b"]])
    }

    @Test("42: forty roles in a row; so many as are allowed are asked")
    mutating func fortyDelegations() throws {
        for number in 1...40 {
            let delegator = number == 1 ? "targets" : "role\(number - 1)"
            try repository.delegate(from: delegator, to: "role\(number)", paths: ["*"])
        }
        try repository.addTarget("x", [1], to: "role32")
        try repository.addTarget("y", [1], to: "role33")
        for number in 1...40 { try repository.publish("role\(number)") }
        try repository.release("targets")
        #expect(client.run(repository, find: "x").found.first?.role.description == "role32")
        let outcome = client.run(repository, find: "y")
        #expect(outcome.code == "too-many-roles" && outcome.role == "role33")
        #expect(!client.requests.contains("1.role33.json"))
    }

    @Test("43: what is good for one role that delegates is nothing to another one that names other keys, also in one run")
    mutating func diamond() throws {
        try repository.delegate(from: "targets", to: "a", paths: ["a-*"])
        try repository.delegate(from: "targets", to: "b", paths: ["b-*"])
        try repository.delegate(from: "a", to: "release", paths: ["?-*"])
        try repository.delegate(from: "b", to: "release", paths: ["?-*"], key: try TUFKey("other"))
        for path in ["a-x", "b-x"] { try repository.addTarget(path, [1], to: "release") }
        try repository.release("release", "a", "b", "targets")
        let outcome = client.run(repository, find: "a-x", "b-x")
        #expect(outcome.found.map(\.path.description) == ["a-x"])
        #expect(outcome.code == "arbitrary-software" && outcome.role == "release")
        // The same in the next run, where the file lies in the folder.
        #expect(client.run(repository, find: "b-x").code == "arbitrary-software")
        #expect(client.run(repository, find: "a-x").found.count == 1)
    }

    @Test("43: two ways to a role with the same keys need one file, and it is fetched once")
    mutating func harmlessDiamond() throws {
        try repository.delegate(from: "targets", to: "a", paths: ["a-*"])
        try repository.delegate(from: "targets", to: "b", paths: ["b-*"])
        try repository.delegate(from: "a", to: "release", paths: ["?-*"])
        try repository.delegate(from: "b", to: "release", paths: ["?-*"])
        for path in ["a-x", "b-x"] { try repository.addTarget(path, [1], to: "release") }
        try repository.release("release", "a", "b", "targets")
        #expect(client.run(repository, find: "a-x", "b-x").found.count == 2)
        #expect(client.requests.filter { $0.hasSuffix("release.json") }.count == 1)
    }

    @Test("44: a terminating delegation hides those after it, also those of the roles above")
    mutating func terminating() throws {
        try repository.delegate(from: "targets", to: "a", paths: ["*"])
        try repository.delegate(from: "targets", to: "later", paths: ["*"])
        try repository.delegate(from: "a", to: "first", paths: ["*"])
        try repository.delegate(from: "a", to: "end", paths: ["x*"], isTerminating: true)
        try repository.delegate(from: "a", to: "hidden", paths: ["*"])
        for role in ["hidden", "later"] { for path in ["x", "z"] { try repository.addTarget(path, [1], to: role) } }
        try repository.addTarget("xx", [1], to: "end")
        try repository.release("first", "end", "hidden", "later", "a", "targets")
        let outcome = client.run(repository, find: "x", "xx", "z")
        #expect(outcome.notFound == ["x"] && outcome.visited == [["targets", "a", "first", "end"]])
        #expect(outcome.found.map(\.role.description) == ["end", "hidden"])
        #expect(!client.requests.contains("1.later.json"))
    }

    @Test("The search goes down before it goes on, in order of appearance")
    mutating func order() throws {
        for (delegator, role) in [("targets", "c"), ("targets", "a"), ("c", "e"), ("c", "b"), ("a", "d"), ("e", "f")] {
            try repository.delegate(from: delegator, to: role, paths: ["*"])
        }
        try repository.release("a", "b", "c", "d", "e", "f", "targets")
        #expect(client.run(repository, find: "x").visited == [["targets", "c", "e", "f", "b", "a", "d"]])
    }

    @Test("45: a role describes no more than all roles above it may")
    mutating func leafExceedsParent() throws {
        try repository.delegate(from: "targets", to: "parent", paths: ["a/*"])
        try repository.delegate(from: "parent", to: "child", paths: ["*", "*/*"])
        for path in ["b", "a/b", "c/b"] { try repository.addTarget(path, [1], to: "child") }
        try repository.release("child", "parent", "targets")
        let outcome = client.run(repository, find: "b", "c/b", "a/b")
        #expect(outcome.notFound == ["b", "c/b"])
        #expect(outcome.found.map(\.path.description) == ["a/b"])
    }

    @Test("46: a pattern crosses no slash and tells capitals apart", arguments: [
        ("people/a/b", "people/*"), ("People/a", "people/*"), ("peopleX", "people/*"), ("b", "[ac]"), ("ab", "?"), ("a*", "a\\*")
    ])
    mutating func patterns(_ path: String, _ pattern: String) throws {
        try repository.delegate(from: "targets", to: "role", paths: [pattern])
        try repository.addTarget(path, [1], to: "role")
        try repository.addTarget(path, [1], to: "people")
        try repository.release("role", "people", "targets")
        #expect(client.run(repository, find: path).notFound == [path])
    }

    @Test("A delegation without patterns leads to nothing")
    mutating func nothing() throws {
        try repository.delegate(from: "targets", to: "role")
        try repository.addTarget("x", [1], to: "role")
        try repository.release("role", "targets")
        #expect(client.run(repository, find: "x").visited == [["targets"]])
    }

    @Test("47, 48: a delegation by hash is not known, with patterns or without", arguments: [["*"], nil] as [[String]?])
    mutating func byHash(paths: [String]?) throws {
        try repository.delegate(from: "targets", to: "role", paths: paths, hashPrefixes: [""])
        try repository.release("role", "targets")
        #expect(client.run(repository).code == "unknown-delegation")
    }

    @Test("Delegations in short form are not known")
    mutating func shortForm() throws {
        repository["targets"].body.set(["delegations", "succinct_roles"], ["bit_length": 2])
        try repository.release("targets")
        #expect(client.run(repository).code == "unknown-delegation")
    }

    @Test("49: a role called as one of the four, not at all, or too long", arguments: [
        "root", "timestamp", "snapshot", "targets", "", String(repeating: "a", count: 300), String(repeating: "\u{E9}", count: 40)
    ])
    mutating func roleNames(_ name: String) throws {
        try repository.delegate(from: "targets", to: name, paths: ["*"], key: try TUFKey("x"))
        try repository.release("targets")
        #expect(client.run(repository).code == "unsafe-role-name")
    }

    @Test("49: a role twice")
    mutating func roleTwice() throws {
        try repository.delegate(from: "targets", to: "people", paths: ["*"])
        try repository.release("targets")
        #expect(client.run(repository).code == "duplicate-delegation")
    }

    @Test("50: a role whose name climbs has a file in the folder all the same", arguments: [
        ("../x", "..%2Fx.json"), ("%2e%2e", "%252e%252e.json"), ("a\u{0}b", "a%00b.json"), ("..", "...json"), ("/etc/x", "%2Fetc%2Fx.json"),
        ("a b?c#d", "a%20b%3Fc%23d.json"), ("\u{E9}", "%C3%A9.json"), ("e\u{301}", "e%CC%81.json"), ("x.json", "x.json.json")
    ])
    mutating func roleClimbs(_ name: String, _ file: String) throws {
        try repository.delegate(from: "targets", to: name, paths: ["*"])
        try repository.addTarget("x", [1], to: name)
        try repository.release(name, "targets")
        #expect(client.run(repository, find: "x").found.first?.role.description == name)
        #expect(client.requests.last == "2.\(file)")
        #expect(try RoleName(delegated: name).fileName == file)
    }

    @Test("50: one name in two spellings are two roles")
    mutating func twoSpellings() throws {
        for name in ["\u{E9}", "e\u{301}"] { try repository.delegate(from: "targets", to: name, paths: ["*"]) }
        try repository.addTarget("x", [1], to: "e\u{301}")
        try repository.release("\u{E9}", "e\u{301}", "targets")
        let second = try RoleName(delegated: "e\u{301}")
        #expect(client.run(repository, find: "x").found.map(\.role) == [second])
    }

    @Test("51: a target whose path leads elsewhere is not asked for, and spoils no other one", arguments: [
        "../x", "/x", "a//b", ".", "a/.", "%2e%2e/x", "a\\b", "a\u{0}b", "x/", ""
    ])
    mutating func targetClimbs(_ path: String) throws {
        try repository.addTarget(path, [1], to: "targets")
        try repository.release("targets")
        #expect(client.run(repository, find: "site/data").found.count == 1)
        #expect(client.run(repository, find: path).code == "unsafe-target-path")
    }

    @Test("A role that the snapshot does not list is asked of nobody")
    mutating func roleNotInSnapshot() throws {
        try repository.delegate(from: "targets", to: "secret", paths: ["*"])
        try repository.release("targets")
        let outcome = client.run(repository, find: "x")
        #expect(outcome.code == "role-not-in-snapshot" && outcome.role == "secret")
        #expect(client.requests.last == "2.targets.json")
    }

    @Test("A role that cannot be had ends the search, although a later one has the target")
    mutating func roleMissing() throws {
        try repository.delegate(from: "targets", to: "first", paths: ["*"])
        try repository.delegate(from: "targets", to: "second", paths: ["*"])
        try repository.addTarget("x", [1], to: "second")
        try repository.release("first", "second", "targets")
        client.failures = ["2.first.json": .missing]
        let outcome = client.run(repository, find: "x")
        #expect(outcome.code == "missing-file" && outcome.role == "first" && outcome.found.isEmpty)
        #expect(outcome.report != nil)
    }

    @Test("Thousands of keys, and a thousand roles that each need ninety of them, keep nobody busy")
    mutating func manyKeys() throws {
        let keys = try (0..<2000).map { try TUFKey("root").called("\($0)") }
        let identifiers = JSON.array(keys.prefix(90).map { .string($0.identifier) })
        let roles = (0..<1000).map { number -> JSON in
            ["name": .string("role\(number)"), "keyids": identifiers, "threshold": 1, "paths": ["*"]]
        }
        repository["targets"].body.set(["delegations"], [
            "keys": .object(JSONObject(keys.map { ($0.identifier, $0.json) })), "roles": .array(roles)
        ])
        try repository.release("targets")
        let outcome = client.run(repository, find: "x")
        #expect(outcome.code == "role-not-in-snapshot" && outcome.role == "role0")
    }
}
