import Files
import Glibc
import Threads
import TrustSync

/// The folder with the verified metadata of a TUF repository: one file a role, byte for byte as it came, under
/// the role's own name (`root.json`).
public struct MetadataFolder: Sendable {
    private let path: String

    /// A folder that exists.
    public init(path: String) { self.path = path }

    /// A role's file.
    /// - Returns: nil if there is none, or one of more than `limit` bytes, which nobody here has kept.
    public func load(_ role: RoleName, limit: Int) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            return try SmallFile.read(file(of: role), limit: limit)
        } catch {
            guard error.number == ENOENT || error.number == EFBIG else { throw error }
            return nil
        }
    }

    /// Puts a file in the place of a role's old one, after it has removed those of the roles to be forgotten. When it
    /// returns, all of it is on the disk. Cut off in between, the forgotten files may be gone and the old one still there: the next
    /// run fetches what is missing.
    public func keep(_ role: RoleName, _ bytes: [UInt8], forgetting forgotten: [RoleName] = []) throws(SystemError) {
        for other in forgotten { try forget(other) }
        if !forgotten.isEmpty { try SmallFile.synchroniseFolder(of: file(of: role)) }
        try SmallFile.replace(file(of: role), with: bytes)
    }

    /// Removes a role's file, if there is one.
    private func forget(_ role: RoleName) throws(SystemError) {
        let name = file(of: role)
        let failure = Loop.outside(.disk) { unlink(name) == 0 ? 0 : errno }
        guard failure == 0 || failure == ENOENT else { throw SystemError("remove \(name)", failure) }
    }

    private func file(of role: RoleName) -> String { "\(path)/\(role.fileName)" }
}
