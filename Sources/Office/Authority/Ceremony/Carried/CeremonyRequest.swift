import Cryptography
import Encoding

/// What an office asks of those whose keys are elsewhere: to make keys, and to sign the next root, the next targets, or both. It is carried to them in a
/// folder and believed no more than a draft is. Every machine makes the same drafts of it.
struct CeremonyRequest: Hashable {
    let site: String
    /// Who makes a key.
    let holders: [CeremonyHolder]
    /// The next root without the keys of the holders; nil if none is asked for.
    let root: Draft?
    /// The next targets; nil if none are asked for.
    let targets: Draft?
    /// How the office calls keys, by identifier: to say who is next, and for nothing that is signed.
    let names: [String: String]

    private static let format: Int64 = 1
    /// The longest file: a draft of each role.
    static let longest = 2 * Draft.longest
    private static let mostHolders = 256

    init(site: String, holders: [CeremonyHolder], root: Draft?, targets: Draft?, names: [String: String]) {
        (self.site, self.holders, self.root, self.targets, self.names) = (site, holders, root, targets, names)
    }

    /// Reads the file; nil for anything else.
    init?(parsing bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), json["tapstile-ceremony"]?.integer == Self.format, let site = json["site"]?.string,
              let listed = json["holders"]?.array, listed.count <= Self.mostHolders else { return nil }
        let holders = listed.compactMap(CeremonyHolder.init)
        let root = json["root"].flatMap(Draft.init(unfinished:)), targets = json["targets"].flatMap(Draft.init(unfinished:))
        guard holders.count == listed.count, Set(holders.map(\.name)).count == holders.count, root?.role ?? .root == .root,
              targets?.role ?? .targets == .targets, root != nil || (targets != nil && holders.isEmpty),
              [root, targets].allSatisfy({ $0.map { $0.site.utf8.elementsEqual(site.utf8) } ?? true }) else { return nil }
        var names: [String: String] = [:]
        for member in json["names"]?.object ?? JSONObject() {
            if let name = member.value.string, CeremonyHolder.isName(name) { names[member.key] = name }
        }
        self.init(site: site, holders: holders, root: root, targets: targets, names: names)
    }

    /// The file.
    var bytes: [UInt8] {
        var members: [(String, JSON)] = [
            ("tapstile-ceremony", .integer(Self.format)), ("site", .string(site)), ("holders", .array(holders.map(\.json))),
            ("names", .object(JSONObject(names.map { ($0.key, .string($0.value)) })))
        ]
        if let root { members.append(("root", root.json)) }
        if let targets { members.append(("targets", targets.json)) }
        return Array(JSON.object(JSONObject(members)).text.utf8)
    }

    /// What shall be signed, root first, each as `sign` takes it; empty for as long as a key is missing.
    /// - Returns: nil if no honest office asks for that.
    func drafts(_ made: [String: PublicKey]) -> [Draft]? {
        let keys = holders.compactMap { holder in made[holder.name].map { RoleKey(role: holder.role, key: $0, file: nil, since: 0, until: nil) } }
        guard keys.count == holders.count else { return [] }
        var drafts: [Draft] = []
        if let root {
            guard let whole = root.adding(keys) else { return nil }
            drafts.append(whole)
        }
        if let targets { drafts.append(drafts.first.map { targets.under(["signatures": [], "signed": .object($0.signed)]) } ?? targets) }
        let checked = drafts.compactMap { Draft(parsing: $0.bytes) }
        return checked.count == drafts.count ? checked : nil
    }
}

/// Somebody who makes a key in a ceremony, by the name that the office gave.
struct CeremonyHolder: Hashable {
    let role: RepositoryRole
    let name: String

    /// - Throws: `badHolder` if it is no name for a file that is the same everywhere.
    init(_ role: RepositoryRole, _ name: String) throws(AuthorityError) {
        guard Self.isName(name) else { throw .repository(.badHolder(name)) }
        (self.role, self.name) = (role, name)
    }

    init?(_ json: JSON) {
        guard let role = json["role"]?.string.flatMap(RepositoryRole.init), role.isOffline, let name = json["name"]?.string, Self.isName(name) else { return nil }
        (self.role, self.name) = (role, name)
    }

    var json: JSON { ["role": .string(role.rawValue), "name": .string(name)] }

    private static let longest = 32

    static func isName(_ name: String) -> Bool {
        (1...longest).contains(name.utf8.count)
            && name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-") }
    }
}
