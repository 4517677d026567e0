import Credentials
import Cryptography
import Files
import Service
import Threads

/// Files that people bring or take away.
extension Authority {
    /// The public key of a phone, in whichever form its app or a tool wrote it. A private key is refused.
    public static func phoneKey(at path: String) throws(AuthorityError) -> PhoneKey {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try SmallFile.read(path, limit: PhoneKey.longest + 1) } catch { throw .system(error) }
        do throws(PhoneKeyError) { return try PhoneKey(parsing: bytes) } catch { throw .phoneKey(path: path, error) }
    }

    /// The bytes of a small file, such as a token or a claims set.
    public static func bytes(at path: String) throws(AuthorityError) -> [UInt8] {
        do throws(SystemError) { return try SmallFile.read(path, limit: longestSmallFile) } catch { throw .system(error) }
    }

    /// Refuses a place where something lies that nobody could make again: before anything is done that is to be written there.
    public static func checkPlace(of path: String) throws(AuthorityError) { try OutputPlace.check(path) }

    /// Writes a file for one person (0600), replacing one that is there and no key nor an authority's own.
    public static func write(_ bytes: [UInt8], to path: String) throws(AuthorityError) {
        try OutputPlace.check(path)
        do throws(SystemError) { try SmallFile.replace(path, with: bytes, mode: 0o600) } catch { throw .system(error) }
    }

    /// Where a token goes when nobody says: `tokens/` in the folder of the authority.
    public func defaultPath(for token: Token) throws(AuthorityError) -> String {
        try folder.makeFolder("tokens")
        return folder.path(of: "tokens/\(token.identifier.description.prefix(16)).token")
    }

    private static let longestSmallFile = 65536
}
