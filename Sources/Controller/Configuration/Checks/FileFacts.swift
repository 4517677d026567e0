import Glibc
import Threads

/// What stands at a path.
enum FileFacts: Hashable, Sendable {
    /// A file with these permission bits, and whose it is.
    case file(mode: UInt32, group: UInt32, owner: UInt32 = 0)
    case folder(mode: UInt32 = 0o755, group: UInt32 = 0, owner: UInt32 = 0)
    /// A device, a socket, a pipe.
    case other
    case missing
    case unreadable(reason: String)

    /// Looks, following links.
    init(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            let number = errno
            self = number == ENOENT ? .missing : .unreadable(reason: SystemError.words(for: number))
            return
        }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: self = .file(mode: UInt32(facts.st_mode & 0o7777), group: facts.st_gid, owner: facts.st_uid)
        case S_IFDIR: self = .folder(mode: UInt32(facts.st_mode & 0o7777), group: facts.st_gid, owner: facts.st_uid)
        default: self = .other
        }
    }
}
