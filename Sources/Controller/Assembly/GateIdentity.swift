import Configuration
import Conversations
import Credentials
import Cryptography
import Files
import Glibc
import Service
import Threads

/// The keys of a gate, read from the files that the configuration names, as far as they can be used.
struct GateIdentity: Sendable {
    /// What the gate proves itself with.
    let keys: GateKeys
    /// What publications of the site are signed with; nil while the gate does not have it.
    let siteKey: PublicKey?
    /// The keys that are named and cannot be used, and why.
    let problems: [KeyProblem]

    /// Reads the key files. Each must have the one role it is used for.
    init(_ configuration: GateConfiguration) {
        let site = configuration.site.identifier
        var problems: [KeyProblem] = []
        let signing = Self.key(.signing, configuration.gate.signingKey, &problems)
        let agreement = Self.key(.agreement, configuration.gate.agreementKey, &problems)
        keys = GateKeys(signing: signing?.signingKey.map { ($0, Self.credential(site, $0.publicKey)) },
                        agreement: agreement?.agreementKey.map { ($0, Self.credential(site, $0.publicKey)) })
        siteKey = Self.key(.site, configuration.trust.siteKey, &problems)?.publicKey
        self.problems = problems
    }

    /// Why that key cannot be used; nil when it can, or is not asked for.
    func problem(with purpose: KeyProblem.Purpose) -> KeyProblem? {
        problems.first { $0.purpose == purpose }
    }

    /// The first key that `previous` had, or did not need, and that is not there now.
    func loss(since previous: GateIdentity) -> KeyProblem? {
        problems.first { previous.problem(with: $0.purpose) == nil }
    }

    private static func key(_ purpose: KeyProblem.Purpose, _ path: String?, _ problems: inout [KeyProblem]) -> KeyFile? {
        guard let path else { return nil }
        switch read(purpose, path) {
        case .success(let file): return file
        case .failure(let problem):
            problems.append(problem)
            return nil
        }
    }

    private static func read(_ purpose: KeyProblem.Purpose, _ path: String) -> Result<KeyFile, KeyProblem> {
        let file: KeyFile
        do {
            file = try KeyFile(parsing: SmallFile.read(path, limit: KeyFile.longest))
        } catch let error as SystemError {
            switch error.number {
            case ENOENT: return .failure(.missing(purpose, path))
            case EACCES, EPERM: return .failure(.forbidden(purpose, path, error.message))
            default: return .failure(.unreadable(purpose, path, error.message))
            }
        } catch let error as KeyFileError {
            return .failure(.unusable(purpose, path, code: error.code, error.message))
        } catch {
            return .failure(.unreadable(purpose, path, "\(path) cannot be read."))
        }
        let role = purpose.role
        guard file.role == role else {
            return .failure(.unusable(purpose, path, code: "key-file-role",
                                      "It holds a key with the role \(file.role.rawValue), needed is \(role.rawValue)."))
        }
        guard purpose == .site || file.signingKey != nil || file.agreementKey != nil else {
            return .failure(.unusable(purpose, path, code: "key-file-wrong-half",
                                      "It holds a public key; the gate needs the private one."))
        }
        return .success(file)
    }

    private static func credential(_ site: String, _ key: PublicKey) -> GateKeys.Credential {
        let credential = GateCredential(site: site, key: key)
        return GateKeys.Credential(keyIdentifier: credential.keyIdentifier, claims: credential.claims)
    }
}

extension KeyProblem: Error {}

extension KeyProblem.Purpose {
    /// The role that a key for this must have.
    fileprivate var role: KeyRole {
        switch self {
        case .signing: .gateSigning
        case .agreement: .gateAgreement
        case .site: .site
        }
    }
}
