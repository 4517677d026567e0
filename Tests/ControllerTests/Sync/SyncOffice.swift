import Credentials
import Cryptography
import Encoding
import SignedRepository
import TrustSync

/// An office and its web server in one: publishes people as a repository has them, and answers for it as `tapstile-net` would.
struct SyncOffice {
    static let url = "https://gates.example/site"

    private(set) var repository: TUFRepository
    private(set) var version: UInt64 = 1
    var epoch: UInt64 = 1
    /// What the server has under the right name of a target, by the target's path, in the place of what was signed.
    var lies: [String: [UInt8]] = [:]
    private var people: [RecordKey: PublicationRecord] = [:]
    private var changed: [RecordKey: UInt64] = [:]
    private var site: [PublicationRecord] = []
    private var wholeVersion: UInt64 = 1
    private let name: String

    /// - Parameter issued: when everything is signed, UNIX seconds; it counts for a day.
    init(site name: String = "demo", _ records: [PublicationRecord] = [], site: [PublicationRecord] = [], issued: Int64 = TUFRepository.now - 60) throws {
        self.name = name
        self.site = site
        repository = try TUFRepository()
        for record in records { put(record) }
        for role in ["root", "timestamp", "snapshot", "targets", "people"] {
            sign(role, at: issued)
            repository[role].expire(at: issued + 86_400)
        }
        try repository.publishRoot()
        try offerWhole()
        try release("targets", "people")
    }

    /// The root that an installer carries to the gate.
    var root: [UInt8] { repository.firstRoot }

    // What is decided ----------------------------------------------------------------------------

    private mutating func put(_ record: PublicationRecord?, as key: RecordKey? = nil) {
        guard let key = key ?? record.map({ RecordKey($0) }) else { return }
        people[key] = record
        changed[key] = version
    }

    /// A new version, with changes from these on; the whole is made anew only where it is said.
    mutating func publish(_ records: [PublicationRecord], gone: [RecordKey] = [], since offers: [UInt64], withWhole: Bool = false) throws {
        version += 1
        for record in records { put(record) }
        for key in gone { put(nil, as: key) }
        if withWhole { try offerWhole() }
        for from in offers { try offer("people/since-\(from)", changes(from: from)) }
        try release("people")
    }

    /// Another file of the site.
    mutating func decide(_ records: [PublicationRecord]) throws {
        site = records
        try repository.addTarget("site/data", siteFile(), to: "targets")
        try release("targets")
    }

    mutating func sign(_ role: String, at seconds: Int64) {
        repository[role].body.set(["x-tapstile-issued"], .string(UTCText.make(seconds: seconds)))
    }

    /// Publishes roles anew, and with them what lists them.
    mutating func release(_ names: String...) throws {
        repository["people"].body.set(["x-tapstile-state"], try state().json)
        for name in names {
            repository[name].version += 1
            try repository.publish(name)
        }
        try repository.release()
    }

    /// Changes anything of the repository.
    mutating func change(_ body: (inout TUFRepository) throws -> Void) rethrows { try body(&repository) }

    // Bundles ------------------------------------------------------------------------------------

    func state() throws -> SignedState {
        var sum = StateSum()
        for record in people.values { sum.add(record) }
        return SignedState(epoch: epoch, version: version, digest: sum.digest(site: name, counts: counts(Array(people.values))))
    }

    private func counts(_ records: [PublicationRecord]) -> PublicationCounts { records.reduce(into: PublicationCounts()) { $0.count($1) } }

    private func bundle(_ part: BundlePart, _ items: [BundleItem], _ counts: PublicationCounts, from: UInt64? = nil) throws -> [UInt8] {
        let header = try BundleHeader(part: part, site: name, epoch: epoch, version: part == .site ? 1 : version, counts: counts,
                                      digest: part == .people ? state().digest : nil, needs: "0.1.0", from: from, zones: from.map { _ in zones() })
        var writer = BundleWriter(header)
        var file = writer.head
        for item in items { file += try writer.add(item) }
        try writer.finish()
        return file
    }

    /// All of them, whatever has changed.
    private func zones() -> [String: [UInt8]] {
        var sums = ZoneSums(site: name)
        for record in people.values { sums.add(record, StateElement(record)) }
        return sums.digests(of: Set(sums.sums.keys))
    }

    private func siteFile() throws -> [UInt8] {
        let sorted = site.sorted { RecordKey($0) < RecordKey($1) }
        return try bundle(.site, sorted.map { BundleItem.put($0) }, counts(sorted))
    }

    private func changes(from: UInt64) throws -> [UInt8] {
        let keys = changed.filter { $0.value > from }.keys.sorted()
        return try bundle(.people, keys.map { key in people[key].map { BundleItem.put($0) } ?? .gone(key) }, counts(Array(people.values)), from: from)
    }

    private mutating func offerWhole() throws {
        let sorted = people.sorted { $0.key < $1.key }.map(\.value)
        try offer("people/full", bundle(.people, sorted.map { BundleItem.put($0) }, counts(sorted)))
        try repository.addTarget("site/data", siteFile(), to: "targets")
    }

    private mutating func offer(_ path: String, _ bytes: [UInt8]) throws { try repository.addTarget(path, bytes, to: "people") }

    // The server ---------------------------------------------------------------------------------

    /// What the server has under an address; nil: nothing.
    func file(at url: String) -> [UInt8]? {
        if let name = Self.rest(of: url, after: "\(Self.url)/metadata/") { return repository.files[name] }
        guard let path = Self.rest(of: url, after: "\(Self.url)/targets/") else { return nil }
        let right = repository.targets.first { target, bytes in path == Self.served(target, bytes) }
        return right.map { target, bytes in lies[target] ?? bytes }
    }

    /// `people/HASH.full`
    private static func served(_ path: String, _ bytes: [UInt8]) -> String {
        let parts = path.split(separator: "/")
        return "\(parts[0])/\(Hex.encode(SHA256.hash(bytes))).\(parts[1])"
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }
}
