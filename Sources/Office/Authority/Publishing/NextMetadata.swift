import Encoding
import SiteData

/// The metadata that keys online sign, made for one publication.
struct NextMetadata {
    /// A file that is new.
    struct File {
        let role: RepositoryRole
        let version: Int64
        let signed: JSONObject
        let bytes: [UInt8]
    }

    private let authority: Authority
    private let place: RepositoryFolder
    private let root: JSONObject
    private let targets: JSONObject
    private let now: Int64
    private let manner: Manner
    private var before: [RepositoryRole: JSONObject] = [:]
    /// What is new, in the order in which it is to be written.
    private(set) var files: [File] = []

    /// How it is signed.
    struct Manner {
        /// Everything is signed anew, whether it has to be or not.
        var isForced = false
        /// For how long all of it counts; nil: each role for its own time.
        var validSeconds: Int64?
        /// So many versions are left out.
        var skippedVersions: Int64 = 0
    }

    init(authority: Authority, place: RepositoryFolder, root: JSONObject, targets: JSONObject, _ manner: Manner = Manner(), now: Int64) {
        self.manner = manner
        self.authority = authority
        self.place = place
        self.root = root
        self.targets = targets
        self.now = now
    }

    /// The newest metadata of a role, when this is published.
    func current(_ role: RepositoryRole) -> JSONObject? {
        switch role {
        case .root: root
        case .targets: targets
        case .people, .snapshot, .timestamp: files.last { $0.role == role }?.signed ?? before[role]
        }
    }

    /// Signs what has to be signed anew: people if there is a publication, what is soon over, and the timestamp always.
    mutating func make(_ publication: PeoplePublication?) throws(AuthorityError) {
        for role in [RepositoryRole.people, .snapshot, .timestamp] { before[role] = try authority.signed(role) }
        try makePeople(publication)
        guard let people = current(.people) else { throw .repository(.unsigned(.people)) }
        try makeSnapshot(people: people.version)
        guard let snapshot = current(.snapshot) else { throw .repository(.unsigned(.snapshot)) }
        try add(.timestamp) { SignedPart.timestamp($0, snapshot: snapshot.version) }
    }

    private mutating func makePeople(_ publication: PeoplePublication?) throws(AuthorityError) {
        if let publication {
            try add(.people) { SignedPart.people($0, files: publication.files, state: (SignedState.member, publication.state.json(after: publication.predecessor))) }
        } else if let old = before[.people], try isToBeSignedAnew(old, .people) {
            let files = (old["targets"]?.object ?? JSONObject()).compactMap { SignedPart.File($0.key, $0.value) }
            try add(.people) { SignedPart.people($0, files: files, state: (SignedState.member, old[SignedState.member] ?? .null)) }
        }
    }

    private mutating func makeSnapshot(people: Int64) throws(AuthorityError) {
        let old = before[.snapshot]
        let isSame = old?.versionOf("targets.json") == targets.version && old?.versionOf("people.json") == people
        if isSame, let old, try !isToBeSignedAnew(old, .snapshot) { return }
        let version = targets.version
        try add(.snapshot) { SignedPart.snapshot($0, targets: version, people: people) }
    }

    /// Whether more than half of its time is over, or other keys sign it now.
    private func isToBeSignedAnew(_ old: JSONObject, _ role: RepositoryRole) throws(AuthorityError) -> Bool {
        if manner.isForced || authority.isAhead(old, now: now) { return true }
        guard old.expires - now >= (try authority.database.role(role).validSeconds) / 2 else { return true }
        guard let bytes = try authority.database.metadata(role) else { return true }
        let delegator = role.delegator == .root ? root : targets
        return Set(MetadataFile.signers(in: bytes)) != Set(try authority.signingKeys(role, among: Set(delegator.keys(of: role).identifiers))
            .map(\.publicKey.metadataIdentifier))
    }

    private mutating func add(_ role: RepositoryRole, _ signed: (SignedPart.Span) -> JSONObject) throws(AuthorityError) {
        let validSeconds: Int64 = if let manner = manner.validSeconds { manner } else { try authority.database.role(role).validSeconds }
        let span = SignedPart.Span(version: try authority.nextVersion(role, place) + manner.skippedVersions, issuedAt: now, validSeconds: validSeconds)
        let part = signed(span)
        let bytes = try authority.sign(part, as: role, of: role.delegator == .root ? root : targets)
        files.append(File(role: role, version: span.version, signed: part, bytes: bytes))
    }
}

extension JSONObject {
    /// The version that a snapshot, or a timestamp, gives of a file.
    func versionOf(_ name: String) -> Int64? { self["meta"]?[name]?["version"]?.integer }
}

extension MetadataFile {
    /// The identifiers of the keys that are said to have signed a file.
    static func signers(in bytes: [UInt8]) -> [String] {
        (try? JSON.parse(bytes))?["signatures"]?.array?.compactMap { $0["keyid"]?.string } ?? []
    }
}

extension SignedPart.File {
    /// As metadata has it; nil if it is not one of ours.
    init?(_ path: String, _ json: JSON?) {
        guard let length = json?["length"]?.integer, let hash = json?["hashes"]?["sha256"]?.string.flatMap({ try? Hex.decode($0) }) else { return nil }
        self.init(path: path, length: Int(length), hash: hash)
    }
}

/// A new publication of what is published of people: its files are in their places, nothing speaks of them yet.
struct PeoplePublication {
    /// The state.
    let state: SignedState
    /// The state that it was made upon; nil for the first one of an epoch.
    let predecessor: Predecessor?
    /// Its sum.
    let sum: PeopleSum
    /// All files that `people` describes: that with everybody, and changes.
    let files: [SignedPart.File]
    /// The version of the file with everybody.
    let fullVersion: Int64
    /// How many things have changed since the state before.
    let changes: Int
    /// Whether no changes lead to it from an older state: it is the first, of this epoch or of all.
    let isBeginning: Bool
}
