import Cryptography
import Encoding
import Files
import Threads

/// What a key has signed, in a file beside it: by this whoever signs again knows what was in force, and need not believe the office.
struct SigningRecord: Hashable {
    /// One signed part.
    struct Entry: Hashable {
        let site: String
        let role: RepositoryRole
        let version: Int64
        /// The SHA-256 of what was signed.
        let digest: [UInt8]

        init(_ draft: Draft) { self.init(site: draft.site, role: draft.role, version: draft.version, digest: draft.identifier) }

        init(site: String, role: RepositoryRole, version: Int64, digest: [UInt8]) {
            (self.site, self.role, self.version, self.digest) = (site, role, version, digest)
        }

        fileprivate init?(_ json: JSON) {
            guard let site = json["site"]?.string, let role = json["role"]?.string.flatMap(RepositoryRole.init), let version = json["version"]?.integer,
                  let digest = json["sha256"]?.string.flatMap({ try? Hex.decode($0) }), digest.count == 32 else { return nil }
            self.init(site: site, role: role, version: version, digest: digest)
        }

        fileprivate var json: JSON {
            ["site": .string(site), "role": .string(role.rawValue), "version": .integer(version), "sha256": .string(Hex.encode(digest))]
        }
    }

    /// Oldest first.
    private(set) var entries: [Entry] = []

    /// So many are remembered.
    static let most = 256
    private static let format: Int64 = 1
    private static let longest = 1 << 17

    /// Where the record of a key lies.
    static func path(ofKeyAt path: String) -> String { path + ".signed" }

    /// That of a key; an empty one where there is no file.
    init(ofKeyAt key: String) throws(AuthorityError) {
        let path = Self.path(ofKeyAt: key)
        guard RepositoryFolder.exists(path) else { return }
        let read: (bytes: [UInt8], exposure: Exposure?)
        do throws(SystemError) { read = try SmallFile.readPrivate(path, limit: Self.longest) } catch { throw .system(error) }
        // It is no secret; but whoever may change it decides what its owner believes to be in force.
        if let exposure = read.exposure, exposure.maySomebodyWrite { throw .keyExposed(path: path, exposure) }
        guard let json = try? JSON.parse(read.bytes), json["tapstile-signing-record"]?.integer == Self.format, let list = json["signed"]?.array else {
            throw .repository(.signingRecordDamaged(path: path))
        }
        entries = list.compactMap(Entry.init)
        guard entries.count == list.count else { throw .repository(.signingRecordDamaged(path: path)) }
    }

    /// The newest version of that site's role which the key has signed; nil if none.
    func newest(_ site: String, _ role: RepositoryRole) -> Int64? { entries.filter { $0.site == site && $0.role == role }.map(\.version).max() }

    /// The sites for which the key has signed, if this is none of them. Sites are told apart by bytes.
    func otherSites(than site: String) -> [String] {
        let sites = Set(entries.map { ExactText($0.site) })
        return sites.contains(ExactText(site)) ? [] : sites.map(\.text).sorted()
    }

    func holds(_ entry: Entry) -> Bool { entries.contains(entry) }

    /// Remembers one more, on the disk before this returns.
    mutating func add(_ entry: Entry, ofKeyAt key: String) throws(AuthorityError) {
        guard !holds(entry) else { return }
        entries = (entries + [entry]).suffix(Self.most)
        let json: JSON = ["tapstile-signing-record": .integer(Self.format), "signed": .array(entries.map(\.json))]
        do throws(SystemError) {
            try SmallFile.replace(Self.path(ofKeyAt: key), with: Array(json.text.utf8), mode: 0o600)
        } catch {
            throw .system(error)
        }
    }
}
