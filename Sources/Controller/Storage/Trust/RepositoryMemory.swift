import Cryptography
import Encoding
import Files
import Glibc
import SiteData
import Threads

/// What a gate remembers of the repository that it synchronises with: the verified metadata in the folder `tuf`, and beside it, in the small file
/// `trust.versions`, the versions that hold. An old repository is noticed by the one when the other is lost. For one thread at a time.
public final class RepositoryMemory: Sendable {
    static let folderName = "tuf"
    static let versionsName = "trust.versions"
    private static let tagName = "timestamp.tag"

    /// What the next run begins with.
    public struct Beginning: Sendable {
        /// The newest root that was verified and kept; nil where there is none. It may be damaged.
        public let kept: [UInt8]?
        /// Versions below which nothing counts.
        public let versions: TrustedVersions
        /// Metadata are there, but nobody knows any more which versions there were: those that the metadata have must do.
        public let areVersionsLost: Bool
    }

    /// The roles whose versions are kept: those that a site's repository has.
    private static let roles: [RoleName] = [.root, .timestamp, .snapshot, .targets] + ((try? RoleName(named: "people")).map { [$0] } ?? [])

    private let path: String
    private let folder: MetadataFolder
    private let slots: SlotFile

    /// - Parameter directory: the state folder.
    public init(directory: String) throws(StorageError) {
        let storage = StorageFolder(path: directory)
        path = storage.path(of: Self.folderName)
        let name = path
        let failure = Loop.outside(.disk) { mkdir(name, 0o750) == 0 ? 0 : errno }
        guard failure == 0 || failure == EEXIST else { throw StorageError(errno: failure, doing: "make \(name)") }
        folder = MetadataFolder(path: path)
        slots = try SlotFile(path: storage.path(of: Self.versionsName))
    }

    /// Begins a run.
    ///
    /// Whoever gives the gate another root by hand, or makes it a gate of another site, wants all to be forgotten that the old one said: after the theft of
    /// enough root keys its versions may be as high as numbers go.
    /// - Parameter root: the file that the installer brought.
    public func begin(with root: [UInt8], site: String) throws(StorageError) -> Beginning {
        let origin = SHA256.hash(Array("\(site)\0".utf8) + root)
        let remembered = try slots.newest().flatMap { Self.read($0) }
        let kept = try loading { () throws(SystemError) in try folder.load(.root, limit: UpdateLimits().root) }
        if let remembered, remembered.origin == origin { return Beginning(kept: kept, versions: remembered.versions, areVersionsLost: false) }
        if remembered == nil, let kept { return Beginning(kept: kept, versions: TrustedVersions(), areVersionsLost: true) }
        // The files first: a power cut in between begins the same once more.
        try loading { () throws(SystemError) in try folder.keep(.root, root, forgetting: Self.roles.filter { $0 != .root }) }
        try write(TrustedVersions(), origin)
        return Beginning(kept: root, versions: TrustedVersions(), areVersionsLost: false)
    }

    /// A role's file; nil if there is none or a longer one.
    public func load(_ role: RoleName, limit: Int) throws(StorageError) -> [UInt8]? {
        try loading { () throws(SystemError) in try folder.load(role, limit: limit) }
    }

    /// Keeps a verified file for good, and before it what holds from then on.
    /// - Parameters:
    ///   - versions: all that the run knows of.
    ///   - root: the file that the installer brought, and the site, as in `begin`.
    public func keep(_ role: RoleName, _ bytes: [UInt8], forgetting: [RoleName], versions: TrustedVersions, root: [UInt8], site: String) throws(StorageError) {
        try write(versions, SHA256.hash(Array("\(site)\0".utf8) + root))
        try loading { () throws(SystemError) in try folder.keep(role, bytes, forgetting: forgetting) }
    }

    private func write(_ versions: TrustedVersions, _ origin: [UInt8]) throws(StorageError) {
        let value = CBOR.array([.bytes(origin)] + Self.roles.map { CBOR(versions[$0]) }).encoded
        if try slots.newest() != value { try slots.write(value, synced: true) }
    }

    private static func read(_ bytes: [UInt8]) -> (origin: [UInt8], versions: TrustedVersions)? {
        guard let items = (try? CBOR.decode(bytes))?.array, items.count == roles.count + 1, let origin = items[0].bytes else { return nil }
        var versions = TrustedVersions()
        for (role, item) in zip(roles, items.dropFirst()) {
            guard let version = item.integer, version >= 0 else { return nil }
            versions[role] = version
        }
        return (origin, versions)
    }

    // The tag of the timestamp -------------------------------------------------------------------

    /// The tag that the server at this address gave to the timestamp that is kept, with that timestamp; nil where it is of another file or address.
    public func tagged(url: String, limit: Int) -> (tag: String, timestamp: [UInt8])? {
        guard let timestamp = (try? folder.load(.timestamp, limit: limit)) ?? nil,
              let items = (try? CBOR.decode(SmallFile.read("\(path)/\(Self.tagName)", limit: 1024)))?.array, items.count == 3,
              items[0].bytes == SHA256.hash(timestamp), items[1].bytes == SHA256.hash(Array(url.utf8)), let tag = items[2].text else { return nil }
        return (tag, timestamp)
    }

    /// Remembers the tag of a timestamp that was kept. Without it the next run asks for the whole file: nothing more is lost.
    public func remember(tag: String?, of timestamp: [UInt8], url: String) {
        guard let tag else { return }
        let value = CBOR.array([.bytes(SHA256.hash(timestamp)), .bytes(SHA256.hash(Array(url.utf8))), .text(tag)]).encoded
        try? SmallFile.replace("\(path)/\(Self.tagName)", with: value)
    }

    private func loading<Result>(_ body: () throws(SystemError) -> Result) throws(StorageError) -> Result { try withStorageErrors(body) }
}

/// The folder with the verified metadata of a TUF repository: one file a role, byte for byte as it came, under
/// the role's own name (`root.json`).
public struct MetadataFolder: Sendable {
    private let path: String

    /// A folder that exists.
    public init(path: String) { self.path = path }

    /// A role's file.
    /// - Returns: nil if there is none, or one of more than `limit` bytes, which nobody here has kept.
    public func load(_ role: RoleName, limit: Int) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            return try SmallFile.read(file(of: role), limit: limit)
        } catch {
            guard error.number == ENOENT || error.number == EFBIG else { throw error }
            return nil
        }
    }

    /// Puts a file in the place of a role's old one, after it has removed those of the roles to be forgotten. When it
    /// returns, all of it is on the disk. Cut off in between, the forgotten files may be gone and the old one still there: the next
    /// run fetches what is missing.
    public func keep(_ role: RoleName, _ bytes: [UInt8], forgetting forgotten: [RoleName] = []) throws(SystemError) {
        for other in forgotten { try forget(other) }
        if !forgotten.isEmpty { try SmallFile.synchroniseFolder(of: file(of: role)) }
        try SmallFile.replace(file(of: role), with: bytes)
    }

    /// Removes a role's file, if there is one.
    private func forget(_ role: RoleName) throws(SystemError) {
        let name = file(of: role)
        let failure = Loop.outside(.disk) { unlink(name) == 0 ? 0 : errno }
        guard failure == 0 || failure == ENOENT else { throw SystemError("remove \(name)", failure) }
    }

    private func file(of role: RoleName) -> String { "\(path)/\(role.fileName)" }
}
