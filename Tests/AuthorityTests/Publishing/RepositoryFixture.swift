import Credentials
import Cryptography
import Encoding
import SiteData
import Testing

@testable import Authority

/// The key that lies beside a private one.
func publicHalf(_ role: RepositoryRole, at path: String) throws -> PublicKey { try Authority.roleKey(role, at: String(path.dropLast(4)) + ".pub") }

/// An authority with a repository, and what a gate makes of it.
struct RepositoryFixture {
    let scratch: ScratchFolder
    let authority: Authority

    var path: String { scratch.path("repo") }

    init() throws {
        let scratch = try ScratchFolder()
        try self.init(makeAuthority(in: scratch), in: scratch)
    }

    init(_ authority: Authority, in scratch: ScratchFolder) { (self.authority, self.scratch) = (authority, scratch) }

    /// Publishes, with a repository that is begun if there is none yet: what gates are told then of site and people.
    func published(at time: Int64 = now) throws -> [PublicationRecord] {
        if try authority.database.repository() == nil { try makeTogether(at: time) } else { _ = try authority.publish(now: time) }
        return try site() + people().records.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The records of the site's part.
    func site() throws -> [PublicationRecord] {
        var reader = BundleReader(expecting: BundleExpectation(site: "north", epoch: UInt64(try #require(try authority.database.repository()).epoch)))
        let items = try reader.feed(try #require(try authority.database.siteData()).bytes)
        _ = try reader.finish()
        return items.compactMap { if case .put(let record) = $0 { record } else { nil } }
    }

    /// All keys in one place.
    func makeTogether(at time: Int64 = now) throws {
        var plan = RepositoryPlan(path: path)
        plan.isTogether = true
        _ = try authority.makeRepository(plan, now: time)
    }

    /// Keys of root and targets elsewhere: three for the root, of which two must sign, and one for targets.
    func makeWithCeremony() throws -> (root: [String], targets: String) {
        let root = try ["a", "b", "c"].map { try key(.root, $0) }
        let targets = try key(.targets, "t")
        var plan = RepositoryPlan(path: path)
        plan.keys[.root] = try root.map { try publicHalf(.root, at: $0) }
        plan.keys[.targets] = [try publicHalf(.targets, at: targets)]
        plan.thresholds[.root] = 2
        _ = try authority.makeRepository(plan, now: now)
        return (root, targets)
    }

    /// The path of a new private key.
    func key(_ role: RepositoryRole, _ name: String) throws -> String {
        let path = scratch.path("\(name).key")
        _ = try Authority.makeRoleKey(role, at: path)
        return path
    }

    /// Drafts, has these keys sign, and accepts.
    @discardableResult
    func sign(_ role: RepositoryRole, _ keys: [String], at time: Int64 = now) throws -> PublishedRepository? {
        // Over files, as it is carried.
        let draft = try #require(Draft(parsing: try authority.draft(role, now: time).bytes))
        let signatures = try keys.map { try #require(DraftSignature(parsing: try Self.sign(draft, $0).text)) }
        return try authority.accept(draft, signatures, now: time)
    }

    /// As a holder of a key does.
    static func sign(_ draft: Draft, _ key: String) throws -> DraftSignature { try Authority.sign(Authority.judge(draft, forKeyAt: key), withKeyAt: key) }

    /// What a gate finds that begins with the first root.
    func check(at time: Int64 = now) throws -> RepositoryCheck.Found { try RepositoryCheck.run(path, at: time) }

    func enrol(_ subject: String, _ key: PublicKey? = nil, _ audiences: [String] = []) throws {
        _ = try authority.enrol(EnrolmentRequest(key: key ?? phoneKey(), use: .sign, subject: subject, rights: Rights(audiences: audiences)), now: now)
    }

    /// The records of people that a gate has after it took the file with everybody, and what changed since.
    func people() throws -> (records: [RecordKey: PublicationRecord], state: SignedState) {
        let metadata = try #require(try authority.signed(.people))
        let state = try #require(SignedState(json: metadata[SignedState.member]))
        let files = try #require(metadata["targets"]?.object).compactMap { SignedPart.File($0.key, $0.value) }
        var records: [RecordKey: PublicationRecord] = [:]
        let full = try read(#require(files.first { $0.path == "people/full" }), state, having: nil)
        for case .put(let record) in full.items { records[RecordKey(record)] = record }
        for file in files where file.path != "people/full" {
            let from = try #require(UInt64(file.path.dropFirst("people/since-".count)))
            let changes = try read(file, state, having: from)
            guard from == full.header.version else { continue }
            for item in changes.items {
                switch item {
                case .put(let record): records[item.key] = record
                case .gone: records[item.key] = nil
                }
            }
        }
        return (records, state)
    }

    func read(_ file: SignedPart.File, _ state: SignedState, having: UInt64?) throws -> (items: [BundleItem], header: BundleHeader) {
        let bytes = try scratch.bytes("repo/targets/\(file.fileName)")
        #expect(bytes.count == file.length && SHA256.hash(bytes) == file.hash)
        let issued = try #require(try authority.signed(.people)).issued
        var reader = BundleReader(expecting: BundleExpectation(
            site: "north", state: state, having: having, ceiling: try authority.ceiling(), issuedAt: issued))
        let items = try reader.feed(bytes)
        return (items, try reader.finish())
    }
}
