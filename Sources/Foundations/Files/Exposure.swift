import Glibc
import Threads

/// Why something private is not: others may use it too.
public enum Exposure: Hashable, Sendable {
    /// It belongs to another user, the one of that number.
    case owner(UInt32)
    /// Group or others have permissions on it; all of them, as in chmod(1).
    case mode(UInt32)

    /// Whether others may change it, rather than read it.
    public var maySomebodyWrite: Bool {
        switch self {
        case .owner: true
        case .mode(let mode): mode & 0o022 != 0
        }
    }
}

extension FileDescriptor {
    /// Who else may use this file or folder; nil if nobody but its owner may, who is whoever runs this program, or root.
    ///
    /// What root has given somebody else to read, by its group or a list (as systemd does with credentials), is root's own decision.
    public func exposure() throws(SystemError) -> Exposure? {
        var facts = stat()
        guard fstat(raw, &facts) == 0 else { throw SystemError("examine \(path)", errno) }
        let mode = UInt32(facts.st_mode) & 0o7777
        if facts.st_uid == geteuid() { return mode & 0o077 == 0 ? nil : .mode(mode) }
        guard facts.st_uid == 0 else { return .owner(facts.st_uid) }
        return mode & 0o027 == 0 ? nil : .mode(mode)
    }
}
