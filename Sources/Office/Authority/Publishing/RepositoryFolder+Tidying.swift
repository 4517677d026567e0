import Encoding
import Files
import Glibc
import Threads

/// Taking away what is no longer wanted.
extension RepositoryFolder {
    /// Takes away files that were published once and that no metadata has named for `seconds`: until then somebody may be loading them. What nobody
    /// publishes stays: others have put it there.
    /// - Parameter folder: one of `folders`.
    func remove(_ folder: String, notIn wanted: Set<String>, olderThan seconds: Int64, now: Int64) throws(AuthorityError) {
        guard let open = try self.folder(folder) else { return }
        for name in try names(folder) where !wanted.contains(name) && Self.isPublished(name, in: folder) {
            var facts = stat()
            guard fstatat(open.raw, name, &facts, AT_SYMLINK_NOFOLLOW) == 0, facts.st_mode & S_IFMT == S_IFREG,
                  Int64(facts.st_mtim.tv_sec) < now - seconds else { continue }
            unlinkat(open.raw, name, 0)
        }
    }

    /// Whether a file has a name as they are published in that folder.
    static func isPublished(_ name: String, in folder: String) -> Bool {
        guard let dot = name.firstIndex(of: ".") else { return false }
        let first = name[..<dot], rest = String(name[name.index(after: dot)...])
        switch folder {
        case "metadata":
            return name == timestamp || isNumber(first) && RepositoryRole.allCases.contains { $0 != .timestamp && rest == "\($0.rawValue).json" }
        case "targets/site":
            return isHash(first) && "site/\(rest)" == SignedPart.siteData
        case "targets/people":
            let path = "people/\(rest)"
            return isHash(first) && (path == SignedPart.peopleFull || path.hasPrefix(SignedPart.peopleSince) && isNumber(path.dropFirst(SignedPart.peopleSince.count)))
        default:
            return false
        }
    }

    /// As they are written, and no other way.
    private static func isNumber(_ text: Substring) -> Bool { Int64(text).map { $0 > 0 && String($0) == text } ?? false }

    private static func isHash(_ text: Substring) -> Bool { text.utf8.count == 64 && (try? Hex.decode(String(text))).map { Hex.encode($0) == text } ?? false }
}

/// Folders by their paths, wherever they lie.
extension RepositoryFolder {
    /// The path of a folder from the root of the file system.
    static func absolute(_ path: String) throws(AuthorityError) -> String {
        guard let resolved = realpath(path, nil) else { throw .system(SystemError("find the folder \(path)", errno)) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The path without links, of a folder that may not be there yet.
    static func resolved(_ path: String) -> String {
        var known = path, rest = ""
        while true {
            if let found = try? absolute(known.isEmpty ? "." : known) { return (found == "/" ? "" : found) + rest }
            guard !known.isEmpty else { return path }
            while known.count > 1, known.hasSuffix("/") { known.removeLast() }
            let cut = known.lastIndex(of: "/")
            rest = "/\(cut.map { known[known.index(after: $0)...] } ?? known[...])" + rest
            known = cut.map { String(known[...$0]) } ?? ""
        }
    }

    /// One that somebody names now, over whatever links.
    static func named(_ path: String) -> RepositoryFolder { RepositoryFolder(path: resolved(path)) }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The bytes of any file; nil if there is none.
    static func read(at path: String, limit: Int) throws(AuthorityError) -> [UInt8]? {
        guard exists(path) else { return nil }
        do throws(SystemError) { return try SmallFile.read(path, limit: limit) } catch { throw .system(error) }
    }
}

/// What others have put into a repository, or may put there.
extension RepositoryFolder {
    /// The first of its folders in which somebody else may write, and so take away what is published; nil: there is none.
    /// - Parameter group: the number of the group that may; nil: none may.
    func exposure(but group: UInt32?) throws(AuthorityError) -> (path: String, exposure: Exposure)? {
        for name in [""] + Self.folders {
            guard let folder = try self.folder(name) else { continue }
            var facts = stat()
            guard fstat(folder.raw, &facts) == 0 else { throw .system(SystemError("examine \(path(name))", errno)) }
            let known: Exposure?
            do throws(SystemError) { known = try folder.exposure() } catch { throw .system(error) }
            guard let exposure = known, exposure.maySomebodyWrite else { continue }
            if case .mode(let mode) = exposure, mode & 0o002 == 0, facts.st_gid == group { continue }
            return (path(name), exposure)
        }
        return nil
    }

    /// What nobody published, in the folders where something is: paths.
    func strangers() throws(AuthorityError) -> [String] {
        var found: [String] = []
        for folder in Self.folders {
            for name in try names(folder).map({ "\(folder)/\($0)" }) where !Self.isPublished(name) && !Self.folders.contains(name) { found.append(path(name)) }
        }
        return found
    }

    /// What lies in it that nobody means to give out: private keys, databases, and ways into the folder of an office. A web server follows links: so does this,
    /// and looks at some thousand folders and files at most.
    func secrets(of office: AuthorityFolder) -> [String] {
        let around = FolderIdentity.upwards(from: office.path)
        var found: [String] = [], waiting = [""], seen: Set<FolderIdentity> = [], left = 4096
        while let name = waiting.popLast(), left > 0 {
            left -= 1
            guard let folder = FolderIdentity(path(name)), seen.insert(folder).inserted else { continue }
            let isIntoOffice = around.contains(folder) || around.first.map { FolderIdentity.upwards(from: path(name)).contains($0) } ?? false
            if isIntoOffice { found.append(path(name)) }
            guard !isIntoOffice, let open = try? FileDescriptor(path: path(name), flags: O_RDONLY | O_DIRECTORY), let names = try? open.names(withHidden: true) else { continue }
            for entry in names.map({ name.isEmpty ? $0 : "\(name)/\($0)" }) where !Self.isPublished(entry) {
                if FolderIdentity.isFolder(path(entry)) { waiting.append(entry) } else if left > 0 {
                    left -= 1
                    if OutputPlace.isSecret(path(entry)) { found.append(path(entry)) }
                }
            }
        }
        return found.sorted()
    }

    /// Whether something with that path in the repository is called as what is published.
    private static func isPublished(_ path: String) -> Bool {
        guard let slash = path.lastIndex(of: "/") else { return false }
        return isPublished(String(path[path.index(after: slash)...]), in: String(path[..<slash]))
    }
}
