import Cryptography
import Files
import Service
import Threads

extension AuthorityFolder {
    /// Enough to find the one name among 256 that is wanted almost surely; the keys of a second.
    private static let mostTries = 2048

    /// The key file of that name, which must have this role.
    func key(_ name: String, role: KeyRole) throws(AuthorityError) -> KeyFile {
        try Self.key(at: path(of: name), role: role)
    }

    /// A key file anywhere, which must have this role.
    static func key(at path: String, role: KeyRole) throws(AuthorityError) -> KeyFile {
        let file = try anyKey(at: path)
        guard file.role == role else { throw .wrongRole(path: path, found: file.role, wanted: role) }
        return file
    }

    /// A key file anywhere. The private half is refused where others may use it too.
    static func anyKey(at path: String) throws(AuthorityError) -> KeyFile {
        let read: (bytes: [UInt8], exposure: Exposure?)
        do throws(SystemError) { read = try SmallFile.readPrivate(path, limit: KeyFile.longest + 1) } catch { throw .system(error) }
        let file: KeyFile
        do throws(KeyFileError) { file = try KeyFile(parsing: read.bytes) } catch { throw .keyFile(path: path, error) }
        if case .public = file.material { return file }
        if let exposure = read.exposure { throw .keyExposed(path: path, exposure) }
        return file
    }

    /// A public key in a file. The private half in its place is a mistake that costs the key: nobody goes on with it.
    static func publicKey(at path: String, role: KeyRole) throws(AuthorityError) -> PublicKey {
        let file = try key(at: path, role: role)
        guard case .public(let key, _) = file.material else { throw .keyIsPrivate(path: path) }
        return key
    }

    /// The key file of that name, made now if it is not there. A key that is there stays: an authority
    /// that was interrupted goes on with it, and no key is ever written over.
    /// - Parameter isWelcome: asks for another key, up to `mostTries` times.
    func keyMadeOnce(_ name: String, role: KeyRole, use: KeyUse, isWelcome: (PublicKey) -> Bool = { _ in true })
        throws(AuthorityError) -> KeyFile {
        if has(name) { return try key(name, role: role) }
        let text: [UInt8]
        var made: KeyFile
        do throws(CryptographyError) {
            made = try KeyFile(role: role, making: use)
            var tries = 1
            while !isWelcome(made.publicKey), tries < Self.mostTries {
                made = try KeyFile(role: role, making: use)
                tries += 1
            }
            text = try made.text()
        } catch {
            throw .cryptography(error)
        }
        do throws(SystemError) { try SmallFile.make(path(of: name), text, mode: 0o600) } catch { throw .system(error) }
        return made
    }

    /// Writes the public half of a key beside it, for those who are to know it.
    func writePublicHalf(of file: KeyFile, to name: String) throws(AuthorityError) {
        let text: [UInt8]
        do throws(CryptographyError) { text = try file.publicFile.text() } catch { throw .cryptography(error) }
        try write(name, text, mode: 0o644)
    }
}
