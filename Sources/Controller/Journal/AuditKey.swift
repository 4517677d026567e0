import Credentials
import Cryptography
import Encoding
import Files
import Glibc
import Threads

/// The key that signs what the gate says of its journal. The gate makes it itself, at its first start; it never leaves
/// the machine, and no phone ever sees it: the file has the role `audit`, which no key of EDHOC has.
package struct AuditKey: Sendable {
    /// The key.
    package let key: SigningKey
    /// Where it came from.
    let origin: Origin

    /// Where a key came from.
    enum Origin: Equatable, Sendable {
        /// The file was there, and perhaps others may use it, too.
        case kept(Exposure?)
        /// There was no file.
        case made
        /// The file was none of an audit key, and is kept under another name.
        case replaced(why: String, setAside: String)
    }

    /// The file's name in the state folder.
    static let fileName = "audit.key"
    /// Nobody but the gate's user reads it.
    private static let mode: UInt32 = 0o600

    /// Reads the key of a state folder, or makes one.
    package init(directory: String) throws(AuditKeyProblem) {
        let path = "\(directory)/\(Self.fileName)"
        guard let (text, exposure) = try Self.text(of: path) else {
            self.init(try Self.make(path), .made)
            return
        }
        let why: String
        do throws(KeyFileError) {
            let file = try KeyFile(parsing: text)
            if file.role == .audit, file.curve == .p256, let key = file.signingKey {
                self.init(key, .kept(exposure))
                return
            }
            why = "It holds a key with the role \(file.role.rawValue)."
        } catch {
            why = error.message
        }
        // A key that cannot be used may still be somebody's: it is never thrown away.
        let aside = try Self.setAside(path)
        self.init(try Self.make(path), .replaced(why: why, setAside: aside))
    }

    private init(_ key: SigningKey, _ origin: Origin) {
        self.key = key
        self.origin = origin
    }

    /// What names the key.
    package var thumbprint: [UInt8] { key.publicKey.thumbprint }

    /// The public half as a key file, for auditors.
    package var publicText: [UInt8]? { Self.publicText(of: key.publicKey) }

    /// The public half of an audit key as a key file.
    package static func publicText(of key: PublicKey) -> [UInt8]? {
        guard let file = try? KeyFile(role: .audit, material: .public(key, .sign)) else { return nil }
        return try? file.text()
    }

    private static func text(of path: String) throws(AuditKeyProblem) -> (bytes: [UInt8], exposure: Exposure?)? {
        do throws(SystemError) {
            return try SmallFile.readPrivate(path, limit: KeyFile.longest)
        } catch {
            if error.number == ENOENT { return nil }
            // Too long for a key: damaged, and set aside like one.
            if error.number == EFBIG { return ([], nil) }
            throw .unreadable(path, error.message)
        }
    }

    private static func make(_ path: String) throws(AuditKeyProblem) -> SigningKey {
        let made: (key: SigningKey, text: [UInt8])
        do throws(CryptographyError) {
            let file = try KeyFile(role: .audit, making: .sign)
            guard let key = file.signingKey else { throw .curveDoesNotFit }
            made = (key, try file.text())
        } catch {
            throw .unwritten(path, "No key could be made.")
        }
        do throws(SystemError) { try SmallFile.replace(path, with: made.text, mode: mode) } catch { throw .unwritten(path, error.message) }
        return made.key
    }

    private static func setAside(_ path: String) throws(AuditKeyProblem) -> String {
        var number = 1
        while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
        let aside = "\(path).damaged-\(number)"
        guard rename(path, aside) == 0 else { throw .unwritten(path, SystemError("rename \(path)", errno).message) }
        return aside
    }
}

/// Why a gate has no audit key. It serves all the same and signs nothing; the next start tries again.
package struct AuditKeyProblem: Error, Equatable, Sendable {
    /// Stable code.
    package let code: String
    /// A sentence for people that names the remedy.
    package let message: String

    /// The file is there and cannot be read. It is left alone: it may be the right one.
    static func unreadable(_ path: String, _ cause: String) -> AuditKeyProblem {
        AuditKeyProblem(code: "audit-key-unreadable",
                        message: "\(cause) The journal gets no signed checkpoints. Let the gate's user read \(path); then restart tapstiled.")
    }

    /// A new one could not be kept.
    static func unwritten(_ path: String, _ cause: String) -> AuditKeyProblem {
        AuditKeyProblem(code: "audit-key-unwritten",
                        message: "\(cause) The journal gets no signed checkpoints. Let the gate's user write \(path); then restart tapstiled.")
    }
}
