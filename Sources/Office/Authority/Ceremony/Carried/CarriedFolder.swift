import Files
import Glibc
import Threads

/// A folder on a medium that was in other hands: nothing leads out of it by a link, and a pipe holds nobody up.
struct CarriedFolder {
    let path: String

    private static let mode: UInt32 = 0o644

    private func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes the folder if it is not there.
    func make() throws(AuthorityError) {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .system(SystemError("make the folder \(path)", errno)) }
    }

    /// The names of what lies there; none if it is not there.
    func names() throws(AuthorityError) -> [String] {
        do throws(SystemError) {
            return try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY).names()
        } catch {
            if error.number == ENOENT { return [] }
            throw .system(error)
        }
    }

    /// The bytes of a file; nil if there is none. What is no file is refused, a link by its number (ELOOP).
    func read(_ name: String, limit: Int) throws(AuthorityError) -> [UInt8]? {
        var facts = stat()
        guard lstat(path(name), &facts) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw .system(SystemError("open \(path(name))", errno)) }
            return nil
        }
        do throws(SystemError) {
            // The file may have become another one since.
            return try SmallFile.read(FileDescriptor.reading(path(name), flags: O_NOFOLLOW), limit: limit)
        } catch {
            throw .system(error)
        }
    }

    /// Puts a file there, whole or not at all, and on the medium when this returns.
    func write(_ name: String, _ bytes: [UInt8]) throws(AuthorityError) {
        do throws(SystemError) {
            let file = try FileReplacement(of: path(name), mode: Self.mode)
            try file.write(bytes)
            try file.finish()
        } catch {
            throw .system(error)
        }
    }

    func remove(_ names: [String]) throws(AuthorityError) {
        for name in names {
            guard unlink(path(name)) == 0 || errno == ENOENT else { throw .system(SystemError("remove \(path(name))", errno)) }
        }
        do throws(SystemError) { try SmallFile.synchroniseFolder(of: path("-")) } catch { throw .system(error) }
    }
}
