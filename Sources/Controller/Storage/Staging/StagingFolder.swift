import Encoding
import Files
import Glibc
import Threads

/// Where files lie that are being fetched, until they are verified and in use: a folder of their own in the state folder.
///
/// A part is named by the hash that was signed for the whole file, so that the next run, or the next start, goes on where the last one broke off.
/// What lies there proves nothing: the file is hashed from its first byte before anything of it is used.
public struct StagingFolder: Sendable {
    /// The names that parts have end in it; nothing else is touched.
    private static let suffix = ".part"
    /// Bytes that stay free for the journal, whatever is fetched.
    public static let reserve: Int64 = 64 << 20
    /// A file becomes site data beside those in use: so many times its own length is needed besides, with indexes.
    public static let growth: Int64 = 3

    private let path: String
    private let freeBytes: @Sendable (String) -> Int64?

    /// Who fetches: what the one has begun is no business of the other's.
    public enum Origin: String, Sendable {
        /// From the repository's server.
        case server = "staging"
        /// From a folder that somebody brought.
        case visit = "staging.import"
    }

    /// - Parameter directory: the state folder.
    public init(directory: String, of origin: Origin = .server) { self.init(directory: directory, of: origin, freeBytes: Self.freeBytes) }

    init(directory: String, of origin: Origin = .server, freeBytes: @escaping @Sendable (String) -> Int64?) {
        path = "\(directory)/\(origin.rawValue)"
        self.freeBytes = freeBytes
    }

    /// Opens the part of a file, or begins it.
    /// - Parameters:
    ///   - hash: SHA-256 or SHA-512 of the whole file, as it was signed.
    ///   - length: of the whole file, as it was signed.
    /// - Throws: `no-room` before a byte is fetched that would find none, or what the disk says.
    public func part(hash: [UInt8], length: Int64) throws(StagingError) -> StagedFile {
        try make()
        let name = "\(path)/\(Hex.encode(hash))\(Self.suffix)"
        let file: StagedFile
        do throws(SystemError) {
            file = try StagedFile(path: name, length: length)
        } catch {
            throw .disk(error)
        }
        try checkRoom(for: length, missing: length - file.count)
        return file
    }

    /// Removes what nobody wants any more.
    /// - Parameter hashes: of the files that are still to be fetched.
    public func discard(except hashes: [[UInt8]] = []) {
        let wanted = Set(hashes.map { Hex.encode($0) + Self.suffix })
        // What cannot be removed takes room, and `part` counts that.
        for name in names where name.hasSuffix(Self.suffix) && !wanted.contains(name) { _ = unlink("\(path)/\(name)") }
    }

    private var names: [String] {
        Loop.outside(.disk) {
            guard let folder = opendir(path) else { return [] }
            defer { closedir(folder) }
            var names: [String] = []
            while let entry = readdir(folder) {
                names.append(withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
            }
            return names
        }
    }

    private func make() throws(StagingError) {
        let failure = Loop.outside(.disk) { mkdir(path, 0o750) == 0 ? 0 : errno }
        guard failure == 0 || failure == EEXIST else { throw .disk(SystemError("make \(path)", failure)) }
    }

    /// Where nobody knows how much is free, the write that finds no room says so.
    private func checkRoom(for length: Int64, missing: Int64) throws(StagingError) {
        guard let free = Loop.outside(.disk, { freeBytes(path) }) else { return }
        let needed = Self.needed(for: length, missing: missing)
        guard free >= needed else { throw .noRoom(needed: needed, free: free) }
    }

    /// A length is what somebody signed: any number.
    private static func needed(for length: Int64, missing: Int64) -> Int64 {
        guard length < Int64.max / (growth + 2) - reserve else { return .max }
        return max(0, missing) + growth * length + reserve
    }

    /// Bytes that are free where a path lies; nil where nobody knows.
    static func freeBytes(_ path: String) -> Int64? {
        var figures = statvfs()
        guard statvfs(path, &figures) == 0 else { return nil }
        let (bytes, isBeyond) = UInt64(figures.f_bavail).multipliedReportingOverflow(by: UInt64(figures.f_frsize))
        return isBeyond ? .max : Int64(clamping: bytes)
    }
}

/// Why a file cannot be fetched onto the disk.
public enum StagingError: Error, Hashable, Sendable {
    /// There is not enough room for it, for what becomes of it, and for the journal; bytes.
    case noRoom(needed: Int64, free: Int64)
    /// The disk refused.
    case disk(SystemError)

    /// Stable, for operators to search for.
    public var code: String {
        switch self {
        case .noRoom: "no-room"
        case .disk: "staging-failed"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .noRoom(let needed, let free):
            "The disk with the state folder has \(free >> 20) MiB free, \(needed >> 20) MiB are needed to take new site data. Those in use stay."
        case .disk(let error): "A file that is being fetched cannot be kept: \(error.message)"
        }
    }
}
