import Configuration
import Conversations
import Credentials
import Cryptography
import Files
import Service
import Threads

/// The keys of a gate, read from the files that the configuration names.
struct GateIdentity: Sendable {
    /// What the gate proves itself with.
    let keys: GateKeys
    /// What publications of the site are signed with.
    let siteKey: PublicKey

    /// Reads the key files. Each must have the one role it is used for.
    init(_ configuration: GateConfiguration) throws(StartError) {
        let site = configuration.site.identifier
        keys = GateKeys(signing: try Self.signing(configuration.gate.signingKey, site),
                        agreement: try Self.agreement(configuration.gate.agreementKey, site))
        siteKey = try Self.read(configuration.trust.siteKey, role: .site).publicKey
    }

    private static func signing(_ path: String?, _ site: String) throws(StartError)
        -> (key: SigningKey, credential: GateKeys.Credential)? {
        guard let path else { return nil }
        guard let key = try read(path, role: .gateSigning).signingKey else { throw notPrivate(path) }
        return (key, credential(site, key.publicKey))
    }

    private static func agreement(_ path: String?, _ site: String) throws(StartError)
        -> (key: AgreementKey, credential: GateKeys.Credential)? {
        guard let path else { return nil }
        guard let key = try read(path, role: .gateAgreement).agreementKey else { throw notPrivate(path) }
        return (key, credential(site, key.publicKey))
    }

    private static func credential(_ site: String, _ key: PublicKey) -> GateKeys.Credential {
        let credential = GateCredential(site: site, key: key)
        return GateKeys.Credential(keyIdentifier: credential.keyIdentifier, claims: credential.claims)
    }

    private static func read(_ path: String, role: KeyRole) throws(StartError) -> KeyFile {
        let file: KeyFile
        do {
            file = try KeyFile(parsing: SmallFile.read(path, limit: KeyFile.longest))
        } catch let error as SystemError {
            throw StartError(code: "key-file-unreadable", message: "\(error.message) (run as root or user tapstile?)")
        } catch let error as KeyFileError {
            throw StartError(code: error.code, message: "\(path): \(error.message)")
        } catch {
            throw StartError(code: "key-file-unreadable", message: "\(path) cannot be read.")
        }
        guard file.role == role else {
            throw StartError(code: "key-file-role", message: "\(path) holds a key with the role \(file.role.rawValue), needed is \(role.rawValue).")
        }
        return file
    }

    private static func notPrivate(_ path: String) -> StartError {
        StartError(code: "key-file-wrong-half", message: "\(path) holds a public key; the gate needs the private one.")
    }
}
