import Configuration
import Credentials
import Cryptography
import Files
import Glibc
import PhoneProtocol
import Service
import Threads

/// The keys of a gate, read from the files that the configuration names, as far as they can be used.
package struct GateIdentity: Sendable {
    /// What the gate proves itself with.
    package let ring: KeyRing
    /// The files that are named and cannot be used, and why.
    package let problems: [KeyProblem]

    /// Reads the key files. Each must have the one role it is used for.
    package init(_ configuration: GateConfiguration) {
        var reading = Reading(site: configuration.site.identifier)
        let gate = configuration.gate
        let signing = reading.slot(.signing, gate.signingKey, next: .nextSigning, gate.nextSigningKey,
                                   credential: .signingCredential, gate.signingCredential)
        let agreement = reading.slot(.agreement, gate.agreementKey, next: .nextAgreement, gate.nextAgreementKey,
                                     credential: .agreementCredential, gate.agreementCredential)
        ring = KeyRing(signing: signing, agreement: agreement, switchAt: gate.switchAt)
        reading.look(.root, configuration.trust.root)
        problems = reading.problems
    }

    /// Why that file cannot be used; nil when it can, or is not asked for.
    package func problem(with purpose: KeyProblem.Purpose) -> KeyProblem? {
        problems.first { $0.purpose == purpose }
    }

    /// The first file that `previous` could use, or did not need, and that cannot be used now.
    package func loss(since previous: GateIdentity) -> KeyProblem? {
        // The root is only where a gate begins: one that has begun goes on without it.
        problems.first { $0.purpose != .root && previous.problem(with: $0.purpose) == nil }
    }
}

/// Reads one file after the other and keeps what is wrong with them.
private struct Reading {
    let site: String
    var problems: [KeyProblem] = []

    /// The keys for one purpose, and the credential of whichever of them it names.
    mutating func slot(_ purpose: KeyProblem.Purpose, _ path: String?, next nextPurpose: KeyProblem.Purpose, _ nextPath: String?,
                       credential credentialPurpose: KeyProblem.Purpose, _ credentialPath: String?) -> KeySlot {
        let current = authenticationKey(purpose, path)
        let next = authenticationKey(nextPurpose, nextPath)
        let token = credential(credentialPurpose, credentialPath, for: [current?.key, next?.key].compactMap { $0 })
        return KeySlot(current: current.map { GateKey($0.key, path: $0.path, site: site, token: token) },
                       next: next.map { GateKey($0.key, path: $0.path, site: site, token: token) })
    }

    mutating func key(_ purpose: KeyProblem.Purpose, _ path: String?) -> KeyFile? {
        guard let path else { return nil }
        return keep { () throws(KeyProblem) in try Self.key(purpose, path) }
    }

    /// Whether a file can be read that is read elsewhere, when it is needed.
    mutating func look(_ purpose: KeyProblem.Purpose, _ path: String?) {
        guard let path else { return }
        _ = keep { () throws(KeyProblem) -> Void in
            guard access(path, R_OK) != 0 else { return }
            let number = errno
            throw Self.problem(with: SystemError("open \(path)", number), purpose, path)
        }
    }

    private mutating func credential(_ purpose: KeyProblem.Purpose, _ path: String?, for keys: [AuthenticationKey]) -> GateToken? {
        guard let path else { return nil }
        let site = self.site
        return keep { () throws(KeyProblem) in try Self.credential(purpose, path, of: site, for: keys) }
    }

    private mutating func authenticationKey(_ purpose: KeyProblem.Purpose, _ path: String?) -> (key: AuthenticationKey, path: String)? {
        guard let path, let file = key(purpose, path) else { return nil }
        switch file.material {
        case .signing(let key): return (.signing(key), path)
        case .agreement(let key): return (.agreement(key), path)
        case .public: return nil
        }
    }

    private mutating func keep<Value>(_ read: () throws(KeyProblem) -> Value) -> Value? {
        do throws(KeyProblem) {
            return try read()
        } catch {
            problems.append(error)
            return nil
        }
    }

    private static func key(_ purpose: KeyProblem.Purpose, _ path: String) throws(KeyProblem) -> KeyFile {
        let text = try bytes(purpose, path)
        let file: KeyFile
        do throws(KeyFileError) { file = try KeyFile(parsing: text) } catch {
            throw .unusable(purpose, path, code: error.code, error.message)
        }
        guard file.role == purpose.role else {
            let needed = purpose.role?.rawValue ?? "no key"
            throw .unusable(purpose, path, code: "key-file-role",
                            "It holds a key with the role \(file.role.rawValue), needed is \(needed).")
        }
        guard file.signingKey != nil || file.agreementKey != nil else {
            throw .unusable(purpose, path, code: "key-file-wrong-half", "It holds a public key; the gate needs the private one.")
        }
        return file
    }

    /// A credential that phones would refuse is no credential: then the gate is shown by its `kid`.
    private static func credential(_ purpose: KeyProblem.Purpose, _ path: String, of site: String,
                                   for keys: [AuthenticationKey]) throws(KeyProblem) -> GateToken {
        let raw = try bytes(purpose, path)
        let token: GateToken
        do throws(GateTokenError) { token = try GateToken(parsing: raw) } catch {
            throw .unusable(purpose, path, code: error.code, error.message)
        }
        guard token.claims.site.utf8.elementsEqual(site.utf8) else {
            throw .unusable(purpose, path, code: "gate-token-other-site",
                            "It is for gates of the site \(token.claims.site), this is one of \(site).")
        }
        let confirmed = token.claims.confirmationKey
        guard keys.contains(where: { $0.publicKey == confirmed.key && ($0.signs ? KeyUse.sign : .agree) == confirmed.use }) else {
            throw .unusable(purpose, path, code: "gate-token-other-key", "It is for another key than those that stand beside it.")
        }
        return token
    }

    private static func bytes(_ purpose: KeyProblem.Purpose, _ path: String) throws(KeyProblem) -> [UInt8] {
        do throws(SystemError) {
            return try SmallFile.read(path, limit: KeyFile.longest)
        } catch {
            throw problem(with: error, purpose, path)
        }
    }

    private static func problem(with error: SystemError, _ purpose: KeyProblem.Purpose, _ path: String) -> KeyProblem {
        switch error.number {
        case ENOENT: .missing(purpose, path)
        case EACCES, EPERM: .forbidden(purpose, path, error.message)
        default: .unreadable(purpose, path, error.message)
        }
    }
}

extension KeyProblem.Purpose {
    /// The role that a key for this must have; nil for what is no key.
    fileprivate var role: KeyRole? {
        switch self {
        case .signing, .nextSigning: .gateSigning
        case .agreement, .nextAgreement: .gateAgreement
        case .signingCredential, .agreementCredential, .root: nil
        }
    }
}
