import Credentials
import Cryptography
import Encoding
import Files
import Glibc
import PhoneProtocol
import Service
import Threads
import VirtualPhone

/// The files a phone has: its key, its credential, the gates it trusts.
public enum PhoneFiles {
    /// Makes a key: the private half at `path` (0600), the public half beside it, in the form that is asked for.
    /// - Returns: where the public half is: `anna.pub` beside `anna.key`, else with `.pub` added.
    public static func makeKey(at path: String, use: KeyUse, form: PhoneKeyForm = .tapstile) throws(PhoneToolError) -> (publicPath: String, key: PublicKey) {
        let publicPath = publicPath(for: path)
        for file in [path, publicPath] where access(file, F_OK) == 0 { throw .keyExists(path: file) }
        let file: KeyFile
        let halves: (private: [UInt8], public: [UInt8])
        do throws(CryptographyError) {
            file = try KeyFile(role: .phone, making: use)
            halves = (try file.text(), try PhoneKey(key: file.publicKey, use: use).encoded(as: form))
        } catch {
            throw .cryptography(error)
        }
        do throws(SystemError) {
            try SmallFile.make(path, halves.private, mode: 0o600)
            try SmallFile.make(publicPath, halves.public, mode: 0o644)
        } catch {
            throw .system(error)
        }
        return (publicPath, file.publicKey)
    }

    static func publicPath(for path: String) -> String {
        (path.hasSuffix(".key") ? String(path.dropLast(4)) : path) + ".pub"
    }

    /// The private key of a phone.
    public static func key(at path: String) throws(PhoneToolError) -> AuthenticationKey {
        let text = try read(path)
        let file: KeyFile
        do throws(KeyFileError) { file = try KeyFile(parsing: text) } catch { throw .keyFile(path: path, error) }
        guard file.role == .phone else { throw .notAPhone(path: path, file.role) }
        switch file.material {
        case .signing(let key): return .signing(key)
        case .agreement(let key): return .agreement(key)
        case .public: throw .publicHalf(path: path)
        }
    }

    /// What a phone knows the gates of a site by: their keys, and who signs credentials of gates.
    public static func gateList(at path: String) throws(PhoneToolError) -> (gates: [KnownGate], issuers: [KnownGateIssuer]) {
        guard let entries = GateListEntry.list(parsing: try read(path)), !entries.isEmpty else { throw .gates(path: path) }
        var gates: [KnownGate] = []
        var issuers: [KnownGateIssuer] = []
        for entry in entries {
            switch entry {
            case .credential(let credential):
                guard let gate = try? KnownGate(claims: credential.raw) else { throw .gates(path: path) }
                gates.append(gate)
            case .issuer(let issuer):
                issuers.append(KnownGateIssuer(issuer))
            }
        }
        return (gates, issuers)
    }

    /// The keys of gates in such a file.
    public static func gates(at path: String) throws(PhoneToolError) -> [KnownGate] { try gateList(at: path).gates }

    /// A token.
    public static func token(at path: String) throws(PhoneToolError) -> Token {
        let bytes = try read(path)
        do throws(TokenError) { return try Token(parsing: bytes) } catch { throw .token(path: path, error) }
    }

    /// A claims set with a key, as the authority wrote it at enrolment.
    public static func claims(at path: String) throws(PhoneToolError) -> ConfirmedKeyCredential {
        let bytes = try read(path)
        do throws(COSEError) { return try ConfirmedKeyCredential(parsing: bytes) } catch { throw .claims(path: path, error) }
    }

    static func read(_ path: String) throws(PhoneToolError) -> [UInt8] {
        do throws(SystemError) { return try SmallFile.read(path) } catch { throw .system(error) }
    }
}
