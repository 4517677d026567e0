import Cryptography
import Encoding
import Invitations
import Storage

/// Names and passwords of operators.
enum OperatorRules {
    static let shortestPassword = 12
    static let longestPassword = 1024
    static let longestName = 64

    static func checked(_ name: String) throws(DeskError) -> String {
        let name = name.composed
        // What phones do stands in the log under a name in parentheses.
        guard (1...longestName).contains(name.utf8.count), NameRule.allows(name), !name.hasPrefix("(") else { throw .badName(name) }
        return name
    }

    static func checkPassword(_ password: String) throws(DeskError) -> [UInt8] {
        let bytes = Array(password.composed.utf8)
        guard (shortestPassword...longestPassword).contains(bytes.count) else { throw .badPassword }
        return bytes
    }
}

/// An operator who is signed in.
public struct OperatorSession: Hashable, Sendable {
    /// Who.
    public let name: String
    /// Until when, UNIX seconds.
    public let expires: Int64
    /// What the browser keeps: 32 random bytes in base64url. Whoever has it is the operator; it is kept hashed and logged nowhere.
    public let token: String

    /// For how many seconds one is signed in.
    public static let lifetime: Int64 = 8 * 3600

    /// What forms carry, so that no other page can send one (it follows from the token, and does not lead back to it).
    public var formToken: String { Base64.encode(HMACSHA256.authenticate([Array("tapstile-form-1".utf8)], key: Array(token.utf8)), .url) }

    /// Whether a form carries it.
    public func fits(formToken other: String) -> Bool { ConstantTime.equal(Array(formToken.utf8), Array(other.utf8)) }
}

extension InvitationDesk {
    /// Makes an operator, or gives one another password: whoever was signed in under the old one is out.
    /// - Parameter who: did it.
    public func setPassword(name: String, password: String, by who: String, now: Int64) throws(DeskError) {
        let name = try OperatorRules.checked(name), bytes = try OperatorRules.checkPassword(password)
        let hash = try scrypt { () throws(CryptographyError) in try PasswordHash(of: bytes) }
        try change { database throws(DeskFailure) in
            try inDatabase { () throws(StorageError) in
                try database.set(hash, of: name, now: now)
                try database.log(.operatorSet, by: who, detail: name, now: now)
            }
        }
    }

    /// Removes an operator, who is out at once.
    public func removeOperator(name: String, by who: String, now: Int64) throws(DeskError) {
        let name = name.composed
        try change { database throws(DeskFailure) in
            let known = try inDatabase { () throws(StorageError) in try database.password(of: name) }
            guard known != nil else { throw .desk(.noOperator(name)) }
            try inDatabase { () throws(StorageError) in
                try database.remove(operator: name)
                try database.log(.operatorRemoved, by: who, detail: name, now: now)
            }
        }
    }

    /// The names of all operators.
    public func operators() throws(DeskError) -> [String] { try look { database throws(StorageError) in try database.operators() } }

    /// Signs an operator in. It takes as long for a name that is not known. Passwords are tried one after another.
    public func signIn(name: String, password: String, now: Int64) throws(DeskError) -> OperatorSession {
        let name = name.composed
        // Nobody has a longer one.
        let bytes = Array(password.composed.utf8.prefix(OperatorRules.longestPassword + 1))
        let kept = try look { database throws(StorageError) in try database.password(of: name) }
        let tried = kept ?? Self.nobody
        let fits = try scrypt { () throws(CryptographyError) in try tried.fits(bytes) }
        guard fits, kept != nil else { throw .signInRefused }
        let session = OperatorSession(name: name, expires: now + OperatorSession.lifetime, token: Base64.encode(RandomBytes.make(32), .url))
        try change { database throws(DeskFailure) in
            // The password may be another one by now.
            let still = try inDatabase { () throws(StorageError) in try database.password(of: name) }
            guard still == kept else { throw .desk(.signInRefused) }
            try inDatabase { () throws(StorageError) in
                try database.addSession(Self.hash(session.token), of: name, expires: session.expires, now: now)
                try database.log(.signedIn, by: name, detail: name, now: now)
            }
        }
        return session
    }

    /// Who is signed in with a session's token; nil: nobody.
    public func session(token: String, now: Int64) throws(DeskError) -> OperatorSession? {
        let hash = Self.hash(token)
        let found = try look { database throws(StorageError) in try database.session(hash, now: now) }
        return found.map { OperatorSession(name: $0.name, expires: $0.expires, token: token) }
    }

    /// Signs out.
    public func signOut(token: String) throws(DeskError) {
        let hash = Self.hash(token)
        try change { database throws(DeskFailure) in try inDatabase { () throws(StorageError) in try database.endSession(hash) } }
    }

    private static func hash(_ token: String) -> [UInt8] { SHA256.hash(Array(token.utf8)) }

    /// What a name that nobody has is tried against: it fits nothing.
    private static let nobody: PasswordHash = {
        guard let hash = PasswordHash(salt: [UInt8](repeating: 0, count: 16), hash: [UInt8](repeating: 0, count: 32)) else {
            preconditionFailure("the lengths are constants")
        }
        return hash
    }()

    private func scrypt<Answer: Sendable>(_ body: () throws(CryptographyError) -> Answer) throws(DeskError) -> Answer {
        do throws(CryptographyError) {
            return try passwords.withLock { _ throws(CryptographyError) in try body() }
        } catch {
            throw .cryptography(error)
        }
    }

    /// A change by an operator.
    func change<Answer: Sendable>(_ body: @escaping @Sendable (DeskDatabase) throws(DeskFailure) -> Answer) throws(DeskError) -> Answer {
        do throws(DeskFailure) { return try changes.change(body) } catch { throw error.error }
    }
}
