import Glibc
import Threads

/// Reading and replacing small files whole.
public enum SmallFile {
    private static let pieceLength = 4096

    /// The bytes of a file. What is none is refused (`SystemError.notAFile`), and a folder (EISDIR).
    /// - Parameter limit: a longer file is refused (EFBIG) before it is read.
    public static func read(_ path: String, limit: Int = 1 << 20) throws(SystemError) -> [UInt8] {
        try read(FileDescriptor.reading(path), limit: limit)
    }

    /// The same of a file that should be private, and who else may use it.
    public static func readPrivate(_ path: String, limit: Int) throws(SystemError) -> (bytes: [UInt8], exposure: Exposure?) {
        let file = try FileDescriptor.reading(path)
        return (try read(file, limit: limit), try file.exposure())
    }

    /// The bytes of a file that is open, from where it stands.
    /// - Parameter limit: a longer file is refused (EFBIG).
    public static func read(_ file: FileDescriptor, limit: Int) throws(SystemError) -> [UInt8] {
        var content: [UInt8] = []
        while true {
            let piece = try file.read(upTo: pieceLength)
            if piece.isEmpty { return content }
            guard content.count + piece.count <= limit else { throw SystemError("read \(file.path)", EFBIG) }
            content += piece
        }
    }

    /// Replaces a file so that after a power cut there is either the old or the new one.
    public static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o640) throws(SystemError) {
        try checkReplaceable(path)
        let fresh = try FileReplacement(of: path, mode: mode)
        try fresh.write(bytes)
        try fresh.finish()
    }

    /// Makes a file where there is nothing (else EEXIST), whole or not at all: no private key is ever written over.
    public static func make(_ path: String, _ bytes: [UInt8], mode: UInt32) throws(SystemError) {
        let fresh = try FileReplacement(of: path, mode: mode)
        try fresh.write(bytes)
        try fresh.finish(replacing: false)
    }

    /// What is no file is not replaced (EEXIST), nor a link that leads to such a thing: root's /dev/null or /dev/stdout would be gone.
    public static func checkReplaceable(_ path: String) throws(SystemError) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return }
        if facts.st_mode & S_IFMT == S_IFLNK, stat(path, &facts) != 0 { return }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw SystemError("replace \(path)", EEXIST) }
    }

    /// Waits until the entries of the folder that holds `path` are on the disk.
    public static func synchroniseFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try FileDescriptor(path: folder, flags: O_RDONLY | O_DIRECTORY).sync()
    }
}

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
