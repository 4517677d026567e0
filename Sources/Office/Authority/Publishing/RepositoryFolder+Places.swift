import Files
import Glibc
import Threads

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
