import Cryptography
import Encoding

/// A repository in memory. Every role can be made to say anything before it is signed and published; whatever was
/// published once stays under its name.
package struct TUFRepository: Sendable {
    package static let now: Int64 = 1_800_000_000
    package static let later: Int64 = now + 86_400

    private var roles: [ExactText: TUFRole] = [:]
    /// What a web server would have, metadata and targets by their names.
    package private(set) var files: [String: [UInt8]] = [:]
    package var targets: [String: [UInt8]] = [:]
    /// Whether hash and length of every file are listed.
    package var listsHashes = true
    package private(set) var hasConsistentSnapshots: Bool

    /// Root 1 and one version of each role, published: targets has `site/data`, and leaves `people/*` to people.
    package init(consistentSnapshots: Bool = true) throws {
        hasConsistentSnapshots = consistentSnapshots
        let keys = try ["root", "timestamp", "snapshot", "targets"].map { try TUFKey($0) }
        self["root"] = TUFRole("root", [
            ("consistent_snapshot", .bool(consistentSnapshots)), ("keys", [:]), ("roles", [:])
        ], expires: Self.later, signers: [keys[0]])
        for key in keys.indices { setKeys(of: ["root", "timestamp", "snapshot", "targets"][key], [keys[key]]) }
        self["targets"] = Self.role([:], signers: [keys[3]])
        self["snapshot"] = TUFRole("snapshot", [("meta", [:])], expires: Self.later, signers: [keys[2]])
        self["timestamp"] = TUFRole("timestamp", [("meta", [:])], expires: Self.later, signers: [keys[1]])
        try addTarget("site/data", Array("rules".utf8), to: "targets")
        try delegate(from: "targets", to: "people", paths: ["people/*"], isTerminating: true)
        try addTarget("people/full", Array("everybody".utf8), to: "people")
        try publishRoot()
        try publish("people", "targets", "snapshot", "timestamp")
    }

    /// One with some history: new versions, a role below a role, a replaced key.
    package static func withHistory() throws -> TUFRepository {
        var repository = try TUFRepository()
        try repository.delegate(from: "people", to: "guests", paths: ["people/guest-?"])
        try repository.addTarget("people/guest-1", [1], to: "guests")
        try repository.release("guests", "people", "targets")
        repository.setKeys(of: "snapshot", [try TUFKey("new snapshot")])
        try repository.releaseRoot()
        try repository.release("people")
        return repository
    }

    /// A role that describes these targets.
    package static func role(_ targets: JSON, signers: [TUFKey]) -> TUFRole {
        TUFRole("targets", [("targets", targets)], expires: later, signers: signers)
    }

    package subscript(role: String) -> TUFRole {
        get { roles[ExactText(role)] ?? Self.role([:], signers: []) }
        set { roles[ExactText(role)] = newValue }
    }

    // Keys and delegations ----------------------------------------------------------------------

    /// Has root list these keys for one of the four roles; that role signs with them from now on.
    package mutating func setKeys(of role: String, _ keys: [TUFKey], threshold: JSON = 1) {
        self["root"].body.set(["roles", role], Self.roleKeys(keys, threshold))
        for key in keys { self["root"].body.set(["keys", key.identifier], key.json) }
        if role != "root" { roles[ExactText(role)]?.signers = keys }
    }

    package static func roleKeys(_ keys: [TUFKey], _ threshold: JSON = 1) -> JSON {
        ["keyids": .array(keys.map { .string($0.identifier) }), "threshold": threshold]
    }

    /// Has a role delegate to another one, which gets a key of its own name unless it is there already.
    package mutating func delegate(from delegator: String, to role: String, paths: [String]? = nil, hashPrefixes: [String]? = nil,
                           isTerminating: Bool = false, key: TUFKey? = nil) throws {
        let key = try key ?? TUFKey(role)
        if roles[ExactText(role)] == nil { self[role] = Self.role([:], signers: [key]) }
        var fields: [(String, JSON)] = [
            ("name", .string(role)), ("keyids", [.string(key.identifier)]), ("threshold", 1), ("terminating", .bool(isTerminating))
        ]
        if let paths { fields.append(("paths", .array(paths.map { .string($0) }))) }
        if let hashPrefixes { fields.append(("path_hash_prefixes", .array(hashPrefixes.map { .string($0) }))) }
        let others = self[delegator].body.at("delegations", "roles")?.array ?? []
        self[delegator].body.set(["delegations", "roles"], .array(others + [.object(JSONObject(fields))]))
        self[delegator].body.set(["delegations", "keys", key.identifier], key.json)
    }

    package mutating func addTarget(_ path: String, _ bytes: [UInt8], to role: String) throws {
        listTarget(path, length: bytes.count, hashes: ["sha256": .string(Hex.encode(SHA256.hash(bytes))), "sha512": .string(Hex.encode(SHA512.hash(bytes)))], in: role)
        targets[path] = bytes
    }

    /// Has a role list a target that lies elsewhere.
    package mutating func listTarget(_ path: String, length: Int, hashes: JSON, in role: String) {
        self[role].body.set(["targets", path], ["length": .integer(Int64(length)), "hashes": hashes])
    }

    // Publishing --------------------------------------------------------------------------------

    /// Publishes roles as they are, in this order; the snapshot lists every role as it was published last, and the
    /// timestamp the snapshot.
    package mutating func publish(_ names: String...) throws { for name in names { try publish(name) } }

    private mutating func publish(_ name: String) throws {
        let bytes = try self[name].file()
        let encoded = PercentText.encode(name)
        files[hasConsistentSnapshots && name != "timestamp" ? "\(self[name].version).\(encoded).json" : "\(encoded).json"] = bytes
        switch name {
        case "timestamp": break
        case "snapshot": list(name, bytes, in: "timestamp")
        default: list(name, bytes, in: "snapshot")
        }
    }

    private mutating func list(_ name: String, _ bytes: [UInt8], in lister: String) {
        var fields: [(String, JSON)] = [("version", .integer(self[name].version))]
        if listsHashes {
            fields.append(("length", .integer(Int64(bytes.count))))
            fields.append(("hashes", ["sha256": .string(Hex.encode(SHA256.hash(bytes)))]))
        }
        self[lister].body.set(["meta", "\(name).json"], .object(JSONObject(fields)))
    }

    /// Publishes roles in a new version each, then snapshot and timestamp in a new version.
    package mutating func release(_ names: String...) throws {
        for name in names + ["snapshot", "timestamp"] {
            self[name].version += 1
            try publish(name)
        }
    }

    /// Publishes root as it is, under its own number or another one.
    package mutating func publishRoot(as number: Int64? = nil) throws {
        files["\(number ?? self["root"].version).root.json"] = try self["root"].file()
    }

    /// Publishes a new root, signed by these keys, else as the last one was.
    package mutating func releaseRoot(signedBy signers: [TUFKey]? = nil) throws {
        self["root"].version += 1
        if let signers { self["root"].signers = signers }
        try publishRoot()
    }

    /// Puts bytes in the place of a file; nil removes it.
    package mutating func serve(_ name: String, _ bytes: [UInt8]?) { files[name] = bytes }

    /// The first root.
    package var firstRoot: [UInt8] { files["1.root.json"] ?? [] }
}
