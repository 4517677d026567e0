import Cryptography
import Files
import Glibc
import Service
import Threads

/// The folder of an authority: private keys (0600) and the database, nobody else's business (0700).
struct AuthorityFolder: Sendable {
    let path: String

    /// Signed publications in one file, before the first release; no office makes it any more.
    static let oldSiteKey = "site.key"
    static let gateIssuerKey = "gate-issuer.key"
    static let gateIssuerPublicKey = "gate-issuer.pub"
    static let database = "authority.db"
    static let knownGates = "gates.phone"
    private static let lock = "authority.lock"

    /// The key of a token issuer; the first has no number.
    static func issuerKey(_ generation: Int64) -> String { generation == 1 ? "issuer.key" : "issuer-\(generation).key" }
    static func issuerPublicKey(_ generation: Int64) -> String { generation == 1 ? "issuer.pub" : "issuer-\(generation).pub" }

    func path(of name: String) -> String { "\(path)/\(name)" }

    func has(_ name: String) -> Bool { access(path(of: name), F_OK) == 0 }

    /// Makes a folder of that name in this one, for our eyes only. One that exists is left as it is: nobody else gets this far.
    func makeFolder(_ name: String) throws(AuthorityError) { try Self.make(path(of: name)) }

    private static func make(_ path: String) throws(AuthorityError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(SystemError("make the folder \(path)", errno)) }
    }

    /// Makes the folder itself. One that is there and empty is closed to others; one with something in it has to be closed already, for what
    /// lies there may be theirs.
    func makePrivate() throws(AuthorityError) {
        try Self.make(path)
        if case .mode? = try exposure(), try isEmpty() {
            do throws(SystemError) { try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY).setMode(0o700) } catch { throw .system(error) }
            guard try isEmpty() else { throw .folderExposed(path: path, .mode(0o777)) }
        }
        try checkPrivate()
    }

    /// Refuses a folder that others may look into or change: all keys of the site lie there.
    func checkPrivate() throws(AuthorityError) {
        if let exposure = try exposure() { throw .folderExposed(path: path, exposure) }
    }

    private func exposure() throws(AuthorityError) -> Exposure? {
        do throws(SystemError) { return try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY).exposure() } catch { throw .system(error) }
    }

    private func isEmpty() throws(AuthorityError) -> Bool {
        guard let open = opendir(path) else { throw .system(SystemError("read the folder \(path)", errno)) }
        defer { closedir(open) }
        var count = 0
        while readdir(open) != nil { count += 1 }
        // "." and ".." are always there.
        return count <= 2
    }

    /// The right to be the only one at work here, held as long as the answer lives.
    func locked() throws(AuthorityError) -> FileDescriptor {
        let name = path(of: Self.lock)
        let lock: FileDescriptor
        let isOurs: Bool
        do throws(SystemError) {
            lock = try FileDescriptor(path: name, flags: O_RDWR | O_CREAT, mode: 0o600)
            isOurs = try lock.lock()
        } catch {
            throw .system(error)
        }
        guard isOurs else { throw .inUse(folder: path) }
        return lock
    }

    /// An empty file with our mode. SQLite gives that mode to the files it makes beside it.
    func makeEmpty(_ name: String) throws(AuthorityError) {
        do throws(SystemError) {
            let file = try FileDescriptor(path: path(of: name), flags: O_RDWR | O_CREAT, mode: 0o600)
            try file.sync()
            try SmallFile.synchroniseFolder(of: path(of: name))
        } catch {
            throw .system(error)
        }
    }

    func write(_ name: String, _ bytes: [UInt8], mode: UInt32) throws(AuthorityError) {
        do throws(SystemError) { try SmallFile.replace(path(of: name), with: bytes, mode: mode) } catch { throw .system(error) }
    }

    func read(_ name: String, limit: Int) throws(AuthorityError) -> [UInt8] {
        do throws(SystemError) { return try SmallFile.read(path(of: name), limit: limit) } catch { throw .system(error) }
    }
}
