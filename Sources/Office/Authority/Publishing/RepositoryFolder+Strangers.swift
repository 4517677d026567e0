import Files
import Glibc
import Threads

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
