import Cryptography
import Encoding
import SiteData

/// A new timestamp for what a repository has: it needs the folder and the key, and no authority, so that the machine which does it every
/// hour can do nothing else.
public enum TimestampRefresh {
    /// What was written.
    public struct Refreshed: Hashable, Sendable {
        /// Its version.
        public let version: Int64
        /// When it counts no more, UNIX seconds.
        public let expires: Int64
        /// The snapshot that it names.
        public let snapshot: Int64
    }

    /// Signs a new timestamp with the keys in these files. It counts for as long as the one before it did.
    /// - Parameter isClockChecked: somebody has compared the clock with a watch: it counts also where it stands before the last date, or far after it.
    public static func run(
        repositoryAt path: String, keysAt keyPaths: [String], isRehearsal: Bool = false, now: Int64, isClockChecked: Bool = false
    ) throws(AuthorityError) -> Refreshed {
        var keys: [SigningKey] = []
        for path in keyPaths {
            guard let key = try AuthorityFolder.key(at: path, role: .timestamp).signingKey else { throw .keyFile(path: path, .wrongHalf) }
            keys.append(key)
        }
        return try run(RepositoryFolder.named(path), keys, isRehearsal: isRehearsal, now: now, isClockChecked: isClockChecked)
    }

    static func run(_ place: RepositoryFolder, _ keys: [SigningKey], isRehearsal: Bool, now: Int64, isClockChecked: Bool) throws(AuthorityError) -> Refreshed {
        let lock = try place.locked()
        defer { withExtendedLifetime(lock) {} }
        guard let root = try newestRoot(place) else { throw .repository(.unsigned(.root)) }
        guard let before = try place.newest(.timestamp), let old = MetadataFile.signed(in: before), let snapshot = old.versionOf("snapshot.json") else {
            throw .repository(.unsigned(.timestamp))
        }
        let span = SignedPart.Span(version: min(old.version, .max - 1) + 1, issuedAt: now, validSeconds: old.expires - old.issued)
        var file = MetadataFile(SignedPart.timestamp(span, snapshot: snapshot))
        for key in keys { try file.sign(with: key) }
        try count(file, root: root, at: place)
        try check(before, isOf: keys, at: place)
        // A clock that went back must not make a timestamp that is over before the one it replaces.
        guard isClockChecked || now >= old.issued else { throw .repository(.clockBehind(now: now, issued: old.issued)) }
        try OfficeClock(now: now, voucher: .installer, isChecked: isClockChecked).check(against: old.issued)
        if isRehearsal {
            try RepositoryCheck.dates(of: RepositoryRole.allCases.filter { $0 != .timestamp }.map { role throws(AuthorityError) in
                (role, try place.newest(role).flatMap(MetadataFile.signed))
            }, at: now)
        } else {
            try place.writeMetadata(RepositoryFolder.timestamp, file.bytes)
            try checkAsGates(place, now: now)
        }
        return Refreshed(version: span.version, expires: file.signed.expires, snapshot: snapshot)
    }

    /// The newest root that follows from the first one. A number that somebody else has put there is none.
    private static func newestRoot(_ place: RepositoryFolder) throws(AuthorityError) -> [UInt8]? {
        guard var root = try place.metadata("1.root.json") else { return nil }
        var version: Int64 = 2
        while let next = try place.metadata("\(version).root.json"), MetadataFile.signed(in: next)?.version == version,
              Authority.isSigned(next, .root, by: root), Authority.isSigned(next, .root, by: next) {
            (root, version) = (next, version + 1)
        }
        return root
    }

    /// Once what root or targets signed is over, a new timestamp is worth nothing.
    private static func checkAsGates(_ place: RepositoryFolder, now: Int64) throws(AuthorityError) {
        do throws(AuthorityError) {
            try RepositoryCheck.metadata(place, at: now)
        } catch {
            guard case .repository(let refused) = error else { throw error }
            throw .repository(.publishedInVain(refused))
        }
    }

    /// Somebody else's timestamp may name an old snapshot, or count for ever: nothing of it is signed.
    private static func check(_ file: [UInt8], isOf keys: [SigningKey], at place: RepositoryFolder) throws(AuthorityError) {
        let metadata: SignedMetadata
        do throws(MetadataFault) { metadata = try SignedMetadata(file) } catch { throw .repository(.metadata(path: place.metadataPath(RepositoryFolder.timestamp), error)) }
        let isOurs = keys.contains { key in metadata.signatures.values.contains { key.publicKey.verify($0.bytes, over: metadata.signedBytes) } }
        guard isOurs else { throw .repository(.strangeTimestamp(path: place.metadataPath(RepositoryFolder.timestamp))) }
    }

    /// A timestamp that no gate would take is worse than the old one.
    private static func count(_ file: MetadataFile, root: [UInt8], at place: RepositoryFolder) throws(AuthorityError) {
        let count: SignatureCount?
        do throws(MetadataFault) {
            count = try SignatureCount(of: SignedMetadata(file.bytes), for: .timestamp, by: SignedMetadata(root))
        } catch {
            throw .repository(.metadata(path: place.metadataPath("root"), error))
        }
        if let count, !count.isReached { throw .repository(.thresholdNotMet(.timestamp, count)) }
    }
}

extension Authority {
    /// A new timestamp with the keys in this folder.
    public func refreshTimestamp(isRehearsal: Bool = false, now: Int64, isClockChecked: Bool = false) throws(AuthorityError) -> TimestampRefresh.Refreshed {
        let place = try repository().folder
        guard let root = try signed(.root) else { throw .repository(.unsigned(.root)) }
        try refuseFork(place)
        if let lack = try lack(in: place) { throw .repository(lack) }
        if !isRehearsal, try signed(.timestamp) != nil { try bringUp(place) }
        let keys = try signingKeys(.timestamp, among: Set(root.keys(of: .timestamp).identifiers))
        guard !keys.isEmpty else { throw .repository(.keysMissing(.timestamp)) }
        return try TimestampRefresh.run(place, keys, isRehearsal: isRehearsal, now: now, isClockChecked: isClockChecked)
    }
}
