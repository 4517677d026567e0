import Glibc

/// Which folder a path leads to, whatever the path.
struct FolderIdentity: Hashable {
    private let device: UInt64
    private let inode: UInt64

    /// Nil if nothing is there.
    init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        (device, inode) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
    }

    /// Whether a folder is there, also at the end of a link.
    static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether neither of two folders is the other, or lies in it; they need not be there yet.
    static func areApart(_ one: String, _ other: String) -> Bool {
        let isInOther = FolderIdentity(other).map { upwards(from: one).contains($0) } ?? false
        let isAround = FolderIdentity(one).map { upwards(from: other).contains($0) } ?? false
        return !isInOther && !isAround
    }

    /// The folder, then all in which it lies, as far as they are there.
    static func upwards(from path: String) -> [FolderIdentity] {
        var known = RepositoryFolder.resolved(path), found: [FolderIdentity] = []
        while true {
            if let folder = FolderIdentity(known.isEmpty ? "/" : known) { found.append(folder) }
            guard let cut = known.lastIndex(of: "/") else { return found }
            known = String(known[..<cut])
        }
    }
}
