import Credentials
import Cryptography
import Encoding
import Files
import Glibc
import Invitations
import Threads

/// The folder of an access, taken for this program until this value goes: the only way to write to it.
public final class WalletPlace {
    /// What lies there.
    public let access: WalletAccess
    /// Whether it was made just now.
    let isNew: Bool
    private let folder: FileDescriptor

    /// Takes the folder.
    /// - Parameter makes: makes it where there is none.
    /// - Throws: `wallet-busy` when another program has it.
    public init(_ access: WalletAccess, makes: Bool = false) throws(PhoneToolError) {
        self.access = access
        isNew = makes && mkdir(access.folder, 0o700) == 0
        let isTaken: Bool
        do throws(SystemError) {
            if isNew { try SmallFile.synchroniseFolder(of: access.folder) }
            folder = try FileDescriptor(path: access.folder, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            isTaken = try folder.lock()
        } catch {
            throw .system(error)
        }
        guard isTaken else { throw .wallet(.busy(name: access.name)) }
    }

    // Before the server is asked --------------------------------------------------------------------------

    /// The access's key: the one that is there, else a copy of that at `path`, else a fresh one. On the disk when this returns.
    func key(copying path: String?) throws(PhoneToolError) -> SigningKey {
        if let path {
            let given = try Self.signingKey(at: path)
            guard exists(access.keyPath) else {
                try makeKey(of: try PhoneFiles.read(path))
                return given
            }
            let kept = try Self.signingKey(at: access.keyPath)
            guard given.publicKey == kept.publicKey else { throw .wallet(.otherKey(name: access.name)) }
            return kept
        }
        if !exists(access.keyPath) { try makeKey(of: try Self.freshKey()) }
        return try key()
    }

    /// The key that is there.
    func key() throws(PhoneToolError) -> SigningKey { try Self.signingKey(at: access.keyPath) }

    /// Keeps the link, so that a second try needs nobody who remembers it. On the disk when this returns.
    func keep(_ link: InvitationLink) throws(PhoneToolError) {
        try write(["url": .string(link.server.base), "code": .string(link.code.text)], to: access.invitationPath)
    }

    // Once it has answered --------------------------------------------------------------------------------

    /// Keeps what the server gave. A crash leaves what was there, or all of this, or of a renewal the new token beside the old terms, which
    /// say less than it does.
    func keep(_ received: ReceivedAccess, from server: InvitationServer) throws(PhoneToolError) {
        try replace(access.gatesPath, received.gates)
        try replace(access.tokenPath, received.token.raw)
        var terms = received.terms.json
        terms["url"] = .string(server.base)
        try write(terms, to: access.termsPath)
        try forgetCode()
    }

    /// The code is good for nothing any more.
    func forgetCode() throws(PhoneToolError) {
        guard unlink(access.invitationPath) == 0 || errno == ENOENT else { throw .system(SystemError("remove \(access.invitationPath)", errno)) }
    }

    /// Takes the access out of the wallet, at once as a whole: it loses its name first.
    public func remove() throws(PhoneToolError) {
        let nameless = "\(access.folder)\(Wallet.goneSuffix)"
        do throws(SystemError) {
            // From a removal that broke off.
            if exists(nameless) { try Wallet.remove(nameless) }
            guard rename(access.folder, nameless) == 0 else { throw SystemError("remove \(access.folder)", errno) }
            try Wallet.remove(nameless)
        } catch {
            throw .system(error)
        }
    }

    // Files -----------------------------------------------------------------------------------------------

    private static func signingKey(at path: String) throws(PhoneToolError) -> SigningKey {
        guard case .signing(let key) = try PhoneFiles.key(at: path) else { throw .wallet(.keyAgrees(path: path)) }
        return key
    }

    private static func freshKey() throws(PhoneToolError) -> [UInt8] {
        do throws(CryptographyError) { return try KeyFile(role: .phone, making: .sign).text() } catch { throw .cryptography(error) }
    }

    private func exists(_ path: String) -> Bool { Glibc.access(path, F_OK) == 0 }

    private func makeKey(of text: [UInt8]) throws(PhoneToolError) {
        do throws(SystemError) { try SmallFile.make(access.keyPath, text, mode: 0o600) } catch { throw .system(error) }
    }

    private func write(_ object: JSONObject, to path: String) throws(PhoneToolError) {
        try replace(path, JSON.object(object).canonical + [0x0A])
    }

    private func replace(_ path: String, _ bytes: [UInt8]) throws(PhoneToolError) {
        do throws(SystemError) { try SmallFile.replace(path, with: bytes, mode: 0o600) } catch { throw .system(error) }
    }
}
