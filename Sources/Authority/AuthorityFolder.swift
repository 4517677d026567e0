import Cryptography
import Files
import Glibc
import Service
import Threads

/// The folder of an authority: private keys (0600) and the database, nobody else's business (0700).
struct AuthorityFolder: Sendable {
    let path: String

    static let siteKey = "site.key"
    static let sitePublicKey = "site.pub"
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

    /// Makes a folder of that name in this one, for our eyes only. One that exists is left as it is.
    func makeFolder(_ name: String? = nil) throws(AuthorityError) {
        let made = name.map(path(of:)) ?? path
        guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw .system(SystemError("make the folder \(made)", errno)) }
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
