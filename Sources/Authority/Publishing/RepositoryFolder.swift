import Files
import Glibc
import Service
import Threads

/// The folder that a web server, an object store or a stick gets: `metadata/` and `targets/`. Everything in it is for everybody.
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
    private static let longest = 5 << 20
    private static let mode: UInt32 = 0o644
    private static let pieceLength = 1 << 18

    func path(_ name: String) -> String { "\(path)/\(name)" }
    func metadataPath(_ name: String) -> String { path("metadata/\(name)") }
    func targetPath(_ name: String) -> String { path("targets/\(name)") }

    /// Makes what is missing of the folders.
    func makeFolders() throws(AuthorityError) {
        for made in [path, path("metadata"), path("targets"), path("targets/site"), path("targets/people")] {
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw .system(SystemError("make the folder \(made)", errno)) }
        }
    }

    /// The right to be the only one who writes here, held as long as the answer lives; waits for whoever has it. A timestamp that names an older
    /// snapshot must not come after a newer one.
    func locked() throws(AuthorityError) -> FileDescriptor {
        do throws(SystemError) {
            let folder = try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY)
            while flock(folder.raw, LOCK_EX) != 0 { guard errno == EINTR else { throw SystemError("lock the folder \(path)", errno) } }
            return folder
        } catch {
            throw .system(error)
        }
    }

    /// The metadata of that name; nil if there is none.
    func metadata(_ name: String) throws(AuthorityError) -> [UInt8]? { try Self.read(metadataPath(name), limit: Self.longest) }

    /// The newest version of a role's metadata that is here: of the timestamp by what it says, of others by the names of the files.
    func newestVersion(_ role: RepositoryRole) throws(AuthorityError) -> Int64 {
        if role == .timestamp { return try metadata(Self.timestamp).flatMap(MetadataFile.signed)?.version ?? 0 }
        let ending = ".\(role.rawValue).json"
        let versions = try names("metadata").compactMap { $0.hasSuffix(ending) ? Int64($0.dropLast(ending.utf8.count)) : nil }
        return versions.max() ?? 0
    }

    func newest(_ role: RepositoryRole) throws(AuthorityError) -> [UInt8]? {
        if role == .timestamp { return try metadata(Self.timestamp) }
        return try metadata("\(newestVersion(role)).\(role.rawValue).json")
    }

    /// Writes metadata, durable when it returns.
    func writeMetadata(_ name: String, _ bytes: [UInt8]) throws(AuthorityError) { try write(metadataPath(name), bytes) }

    /// Writes a small target, durable when it returns.
    func writeTarget(_ name: String, _ bytes: [UInt8]) throws(AuthorityError) { try write(targetPath(name), bytes) }

    /// Copies a target from another folder, durable when it returns.
    func copyTarget(_ name: String, from other: RepositoryFolder) throws(AuthorityError) {
        try beforeWriting.body()
        do throws(SystemError) {
            let source = try FileDescriptor(path: other.targetPath(name), flags: O_RDONLY)
            let copy = try FileReplacement(of: targetPath(name), mode: Self.mode)
            while case let piece = try source.read(upTo: Self.pieceLength), !piece.isEmpty { try copy.write(piece) }
            try copy.finish()
        } catch {
            throw .system(error)
        }
    }

    func has(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

    private func write(_ path: String, _ bytes: [UInt8]) throws(AuthorityError) {
        try beforeWriting.body()
        do throws(SystemError) { try SmallFile.replace(path, with: bytes, mode: Self.mode) } catch { throw .system(error) }
    }

    /// The names of the files in one of the folders.
    func names(_ folder: String) throws(AuthorityError) -> [String] {
        guard let open = opendir(path(folder)) else {
            guard errno == ENOENT else { throw .system(SystemError("read the folder \(path(folder))", errno)) }
            return []
        }
        defer { closedir(open) }
        var names: [String] = []
        while let entry = readdir(open) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { raw in
                raw.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Takes away what no metadata has named for `seconds`: until then somebody may be loading it.
    func remove(_ folder: String, notIn wanted: Set<String>, olderThan seconds: Int64, now: Int64) throws(AuthorityError) {
        for name in try names(folder) where !wanted.contains(name) {
            var facts = stat()
            guard stat(path("\(folder)/\(name)"), &facts) == 0, Int64(facts.st_mtim.tv_sec) + seconds < now else { continue }
            unlink(path("\(folder)/\(name)"))
        }
    }

    /// The path of a folder from the root of the file system.
    static func absolute(_ path: String) throws(AuthorityError) -> String {
        guard let resolved = realpath(path, nil) else { throw .system(SystemError("find the folder \(path)", errno)) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The bytes of a file; nil if there is none.
    static func read(_ path: String, limit: Int) throws(AuthorityError) -> [UInt8]? {
        guard access(path, F_OK) == 0 else { return nil }
        do throws(SystemError) { return try SmallFile.read(path, limit: limit) } catch { throw .system(error) }
    }
}
