import Cryptography
import Encoding
import Files
import Glibc
import Threads

/// The folder where a phone keeps what invitations gave it: a folder for each, with key, token, gates and terms.
///
/// One program at a time may write to an access (flock on its folder); reading takes no lock, for every file is replaced whole.
public struct Wallet: Sendable {
    /// Where it is.
    public let path: String

    /// The place that the environment names: `$XDG_DATA_HOME/tapstile-phone`, else `~/.local/share/tapstile-phone`.
    public static func usualPath() throws(PhoneToolError) -> String {
        // Relative ones count for nothing (XDG Base Directory Specification).
        if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/tapstile-phone" }
        guard let home = variable("HOME"), home.hasPrefix("/") else { throw .wallet(.noPlace) }
        return "\(home)/.local/share/tapstile-phone"
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    public init(path: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Everything in it, in the order of names; nothing where there is no wallet yet.
    /// - Throws: `wallet-exposed` where others may use the folder.
    public func accesses() throws(PhoneToolError) -> [WalletAccess] {
        guard Glibc.access(path, F_OK) == 0 else { return [] }
        return try names().filter(WalletAccess.isName).map { WalletAccess(name: $0, folder: "\(path)/\($0)") }
    }

    /// The one of this name, of which the beginning is enough.
    public func access(named text: String) throws(PhoneToolError) -> WalletAccess {
        let fitting = try accesses().filter { !text.isEmpty && $0.name.hasPrefix(text) }
        guard let first = fitting.first else { throw .wallet(.unknown(text)) }
        guard fitting.count == 1 else { throw .wallet(.several(text, fitting.map(\.name))) }
        return first
    }

    /// Those of a site that were redeemed: what is valid at `now` first, and of that what ends last.
    public func accesses(ofSite site: String, at now: Int64) throws(PhoneToolError) -> [WalletAccess] {
        var fitting: [(access: WalletAccess, isValid: Bool, expires: Int64)] = []
        for access in try accesses() {
            // One that is damaged hides no other.
            guard case .redeemed(let kept)? = try? access.state(), kept.terms.site == site else { continue }
            fitting.append((access, (kept.terms.notBefore..<kept.terms.expires).contains(now), kept.terms.expires))
        }
        guard !fitting.isEmpty else { throw .wallet(.unknown(site)) }
        return fitting.sorted { $0.isValid == $1.isValid ? $0.expires > $1.expires : $0.isValid }.map(\.access)
    }

    /// The place of an invitation, taken for this program; made where there is none.
    public func place(for link: InvitationLink) throws(PhoneToolError) -> WalletPlace {
        let name = WalletAccess.name(of: link)
        try make()
        _ = try names()
        return try WalletPlace(WalletAccess(name: name, folder: "\(path)/\(name)"), makes: true)
    }

    static let goneSuffix = ".gone"

    /// Removes what removals that broke off have left: keys, perhaps.
    public func sweep() throws(PhoneToolError) {
        guard Glibc.access(path, F_OK) == 0 else { return }
        for name in try names() where name.hasSuffix(Self.goneSuffix) && WalletAccess.isName(String(name.dropLast(Self.goneSuffix.count))) {
            do throws(SystemError) { try Self.remove("\(path)/\(name)") } catch { throw .system(error) }
        }
    }

    static func remove(_ path: String) throws(SystemError) {
        let folder = try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        for name in try folder.names(withHidden: true) {
            guard unlinkat(folder.raw, name, 0) == 0 || errno == ENOENT else { throw SystemError("remove \(path)/\(name)", errno) }
        }
        guard rmdir(path) == 0 || errno == ENOENT else { throw SystemError("remove \(path)", errno) }
    }

    /// Makes the folder and those above it, for its owner alone.
    private func make() throws(PhoneToolError) {
        var folder = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            folder += "/\(part)"
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system(SystemError("make \(folder)", errno)) }
        }
    }

    private func names() throws(PhoneToolError) -> [String] {
        let exposure: Exposure?
        let names: [String]
        do throws(SystemError) {
            let folder = try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY)
            exposure = try folder.exposure()
            names = try folder.names()
        } catch {
            throw .system(error)
        }
        guard exposure == nil else { throw .wallet(.exposed(path: path)) }
        return names
    }
}
