import Encoding
import Files
import Glibc
import Threads

/// Where people want something written. Nothing takes the place of what nobody could make again.
enum OutputPlace {
    /// Refuses a key, a database, and whatever the folder of an authority lives on.
    static func check(_ path: String) throws(AuthorityError) {
        guard !isOfAnOffice(path), !isTarget(path), try !isKept(path) else { throw .keptFile(path: path) }
    }

    /// Refuses a folder for everybody in which the keys of an authority lie, or that lies among them: somebody gives it out by a web server, or carries it.
    ///
    /// The same folder may have several paths, by links and mounts: folders are compared, not their names.
    static func checkApart(_ path: String, from office: AuthorityFolder) throws(AuthorityError) {
        for place in [path] + RepositoryFolder.folders.map({ "\(path)/\($0)" }) {
            guard FolderIdentity.areApart(place, office.path) else { throw .repository(.insideOffice(path: path)) }
        }
    }

    /// What else an office has in its folder.
    private static let others = [AuthorityFolder.knownGates, CeremonyCopy.file, Authority.rolesFolder, "tokens", "gates"]

    /// What files that must not be lost begin with, or have in the first piece of them.
    private static let beginnings = ["SQLite format 3\0", "{\"signatures\":["].map { Array($0.utf8) }
    private static let marks = [" KEY-----", "\"tapstile-signing-record\""].map { Array($0.utf8) }
    private static let privateMark = Array(" PRIVATE KEY-----".utf8)
    private static let pieceLength = 4096

    private static func isKept(_ path: String) throws(AuthorityError) -> Bool {
        guard let piece = try firstPiece(of: path) else { return false }
        return beginnings.contains { piece.starts(with: $0) } || marks.contains { isIn(piece, $0) }
    }

    /// Whether it is a target that lies in a repository: gates know its hash.
    private static func isTarget(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard parts.count > 2, access(path, F_OK) == 0 else { return false }
        return RepositoryFolder.isPublished(String(parts[parts.count - 1]), in: parts.suffix(3).dropLast().joined(separator: "/"))
    }

    /// Whether a file is a private key or a database, which nobody gives out on purpose.
    static func isSecret(_ path: String) -> Bool {
        guard let piece = try? firstPiece(of: path) else { return false }
        return piece.starts(with: beginnings[0]) || isIn(piece, privateMark)
    }

    /// Nil where there is no file.
    private static func firstPiece(of path: String) throws(AuthorityError) -> [UInt8]? {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        do throws(SystemError) { return try FileDescriptor.reading(path).read(upTo: pieceLength) } catch { throw .system(error) }
    }

    private static func isIn(_ bytes: [UInt8], _ mark: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: mark) }
    }

    /// Whether a file there would be one of an authority's own, also before it is there: SQLite reads what lies beside its database.
    private static func isOfAnOffice(_ path: String) -> Bool {
        let cut = path.lastIndex(of: "/")
        let folder = cut.map { String(path[...$0]) } ?? "./", name = cut.map { path[path.index(after: $0)...] } ?? path[...]
        // Keys of roles and of gates lie one and two folders further down.
        guard let depth = ["", "../", "../../"].firstIndex(where: { access(folder + $0 + AuthorityFolder.database, F_OK) == 0 }) else { return false }
        return name.hasSuffix(".key") || name.hasSuffix(".pub") || depth == 0 && (name.hasPrefix("authority.") || others.contains(String(name)))
    }
}
