import Cryptography
import Files
import Glibc
import SiteData
import Threads

/// The folder that a web server, an object store or a stick gets: `metadata/` and `targets/`. Everything in it is for everybody.
///
/// Others may have put things there. So each of its folders is opened in the one above it and is no link, and each file is a file in such a folder: nothing
/// is read, written or removed elsewhere, whatever leads there.
struct RepositoryFolder {
    let path: String
    /// Called before each file that is written; for tests, which end a command there.
    var beforeWriting = Interruption()

    /// Where tests come in.
    struct Interruption {
        var body: () throws(AuthorityError) -> Void = {}
    }

    /// The only file whose name has no version: readers begin with it, so it comes last.
    static let timestamp = "timestamp.json"
    /// Its folders, each after the one in which it lies.
    static let folders = ["metadata", "targets", "targets/site", "targets/people"]
    private static let longest = 5 << 20
    private static let mode: UInt32 = 0o644
    private static let pieceLength = 1 << 18

    /// What errors call a file.
    func path(_ name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }
    func metadataPath(_ name: String) -> String { path("metadata/\(name)") }

    // Folders -----------------------------------------------------------------------------------

    /// Makes what is missing of the folders.
    func makeFolders() throws(AuthorityError) {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .system(SystemError("make the folder \(path)", errno)) }
        for name in Self.folders {
            let parts = Self.parts(of: name), above = try present(parts.folder)
            guard mkdirat(above.raw, parts.name, 0o755) == 0 || errno == EEXIST else { throw .system(SystemError("make the folder \(path(name))", errno)) }
            _ = try present(name)
        }
    }

    /// The right to be the only one who writes here, held as long as the answer lives; waits for whoever has it, ten minutes at most: everybody who may read
    /// the folder can take it. A timestamp that names an older snapshot must not come after a newer one.
    /// - Parameter tries: ten a second.
    func locked(tries: Int = 6000) throws(AuthorityError) -> FileDescriptor {
        let folder = try present("")
        for _ in 0..<tries {
            if flock(folder.raw, LOCK_EX | LOCK_NB) == 0 { return folder }
            guard errno == EINTR || errno == EWOULDBLOCK else { throw .system(SystemError("lock the folder \(path)", errno)) }
            usleep(100_000)
        }
        throw .repository(.locked(path: path))
    }

    /// One of the folders, "" for the whole; nil if it is not there.
    /// - Throws: `linked` where it, or one in which it lies, is a link or no folder.
    func folder(_ name: String) throws(AuthorityError) -> FileDescriptor? {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        var known = ""
        do throws(SystemError) {
            var folder = try FileDescriptor(path: path, flags: flags)
            for part in name.split(separator: "/") {
                known += known.isEmpty ? String(part) : "/\(part)"
                folder = try FileDescriptor(in: folder, String(part), flags: flags)
            }
            return folder
        } catch {
            if error.number == ENOENT { return nil }
            throw error.number == ELOOP || error.number == ENOTDIR ? .repository(.linked(path: path(known))) : .system(error)
        }
    }

    private func present(_ name: String) throws(AuthorityError) -> FileDescriptor {
        guard let folder = try self.folder(name) else { throw .system(SystemError("open \(path(name))", ENOENT)) }
        return folder
    }

    /// The names of the files in one of the folders.
    func names(_ folder: String) throws(AuthorityError) -> [String] {
        guard let open = try self.folder(folder) else { return [] }
        do throws(SystemError) { return try open.names() } catch { throw .system(error) }
    }

    private static func parts(of name: String) -> (folder: String, name: String) {
        guard let slash = name.lastIndex(of: "/") else { return ("", name) }
        return (String(name[..<slash]), String(name[name.index(after: slash)...]))
    }

    // Reading -----------------------------------------------------------------------------------

    /// A file, open for reading; nil if there is none.
    func open(_ name: String) throws(AuthorityError) -> FileDescriptor? {
        let parts = Self.parts(of: name)
        guard !parts.folder.split(separator: "/").contains(".."), let folder = try self.folder(parts.folder) else { return nil }
        do throws(SystemError) {
            // A pipe would hold up whoever opens it.
            let file = try FileDescriptor(in: folder, parts.name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            try file.checkIsFile()
            return file
        } catch {
            if error.number == ENOENT { return nil }
            throw [ELOOP, ENXIO, EISDIR, SystemError.notAFile].contains(error.number) ? .repository(.noFile(path: path(name))) : .system(error)
        }
    }

    /// In bytes; nil if there is no such file.
    func length(_ name: String) throws(AuthorityError) -> Int? {
        guard let file = try open(name) else { return nil }
        do throws(SystemError) { return try file.size() } catch { throw .system(error) }
    }

    func has(_ name: String) throws(AuthorityError) -> Bool { try open(name) != nil }

    /// The bytes of a file; nil if there is none.
    func read(_ name: String, limit: Int) throws(AuthorityError) -> [UInt8]? {
        guard let file = try open(name) else { return nil }
        do throws(SystemError) { return try SmallFile.read(file, limit: limit) } catch { throw .system(error) }
    }

    /// The metadata of that name; nil if there is none.
    func metadata(_ name: String) throws(AuthorityError) -> [UInt8]? { try read("metadata/\(name)", limit: Self.longest) }

    /// The newest version of a role's metadata that is here: of the timestamp by what it says, of others by the names of the files.
    func newestVersion(_ role: RepositoryRole) throws(AuthorityError) -> Int64 {
        if role == .timestamp { return try metadata(Self.timestamp).flatMap(MetadataFile.signed)?.version ?? 0 }
        return try versions(role).max() ?? 0
    }

    private func versions(_ role: RepositoryRole) throws(AuthorityError) -> [Int64] {
        let ending = ".\(role.rawValue).json"
        return try names("metadata").compactMap { $0.hasSuffix(ending) && Self.isPublished($0, in: "metadata") ? Int64($0.dropLast(ending.utf8.count)) : nil }
    }

    /// The names of a role's files, by their numbers, the newest first.
    func metadataNames(of role: RepositoryRole) throws(AuthorityError) -> [String] {
        try role == .timestamp ? [Self.timestamp] : versions(role).sorted(by: >).map { "\($0).\(role.rawValue).json" }
    }

    func newest(_ role: RepositoryRole) throws(AuthorityError) -> [UInt8]? {
        if role == .timestamp { return try metadata(Self.timestamp) }
        return try metadata("\(newestVersion(role)).\(role.rawValue).json")
    }

    // Writing -----------------------------------------------------------------------------------

    /// Writes metadata, durable when it returns.
    func writeMetadata(_ name: String, _ bytes: [UInt8]) throws(AuthorityError) { try write("metadata/\(name)", bytes) }

    /// Writes a small target, durable when it returns.
    func writeTarget(_ name: String, _ bytes: [UInt8]) throws(AuthorityError) { try write("targets/\(name)", bytes) }

    private func write(_ name: String, _ bytes: [UInt8]) throws(AuthorityError) {
        try beforeWriting.body()
        let file = try replacement(of: name)
        do throws(SystemError) {
            try file.write(bytes)
            try file.finish()
        } catch {
            throw .system(error)
        }
    }

    /// Copies a target from another folder, if it is what was signed: anything else is for nobody. Durable when it returns.
    func copyTarget(_ target: SignedPart.File, from other: RepositoryFolder) throws(AuthorityError) {
        try beforeWriting.body()
        let name = "targets/\(target.fileName)", wrong = AuthorityError.repository(.refused(UpdateRefusal(.targets, .wrongTargetHash)))
        guard let source = try other.open(name) else { throw .system(SystemError("open \(other.path(name))", ENOENT)) }
        let copy = try replacement(of: name)
        var digest = HashStream.sha256, length = 0
        do throws(SystemError) {
            while length <= target.length, case let piece = try source.read(upTo: Self.pieceLength), !piece.isEmpty {
                digest.update(piece)
                length += piece.count
                try copy.write(piece)
            }
        } catch {
            throw .system(error)
        }
        guard length == target.length, digest.finish() == target.hash else { throw wrong }
        do throws(SystemError) { try copy.finish() } catch { throw .system(error) }
    }

    /// A file on its way to its name.
    func replacement(of name: String) throws(AuthorityError) -> FileReplacement {
        let parts = Self.parts(of: name), folder = try present(parts.folder)
        do throws(SystemError) { return try FileReplacement(in: folder, parts.name, mode: Self.mode) } catch { throw .system(error) }
    }
}
