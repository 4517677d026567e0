import Credentials
import Cryptography
import PhoneProtocol
import VirtualPhone

/// How a phone shows who it is.
public enum PresentedFiles: Sendable {
    /// A token by value.
    case token(path: String)
    /// A token by reference; by value when the gate does not know it.
    case tokenReference(path: String)
    /// A claims set by value, perhaps with a token beside it.
    case claims(path: String, token: String?)
    /// A claims set by its `kid`; by value when the gate does not know it. Perhaps with a token beside it.
    case keyIdentifier(path: String, token: String?)
}

extension PhoneMembership {
    /// What a phone's files make of one site. A credential that names another key than the phone's is
    /// refused, unless that is what is to be tried.
    public init(_ membership: MembershipFiles, allowingOtherKey: Bool = false) throws(PhoneToolError) {
        let key = try PhoneFiles.key(at: membership.keyPath)
        let (gates, issuers) = try PhoneFiles.gateList(at: membership.gatesPath)
        let shown = try Shown(membership.files)
        guard allowingOtherKey || shown.key == key.publicKey else { throw .otherKey(path: shown.path) }
        self.init(credential: shown.credential, key: key, accompanyingToken: shown.token, gates: gates, gateIssuers: issuers)
    }

    /// A credential as its file has it.
    private struct Shown {
        let credential: PhoneCredential
        let key: PublicKey
        var token: [UInt8]?
        let path: String

        init(_ files: PresentedFiles) throws(PhoneToolError) {
            switch files {
            case .token(let path):
                let token = try PhoneFiles.token(at: path)
                (credential, key, self.path) = (.token(token.raw), token.confirmationKey, path)
            case .tokenReference(let path):
                let token = try PhoneFiles.token(at: path)
                (credential, key, self.path) = (.tokenReference(token.raw), token.confirmationKey, path)
            case .claims(let path, let token):
                let claims = try PhoneFiles.claims(at: path)
                (credential, key, self.path) = (.claims(claims.raw), claims.key.key, path)
                self.token = try Self.token(token)
            case .keyIdentifier(let path, let token):
                let claims = try PhoneFiles.claims(at: path)
                guard let identifier = claims.key.keyIdentifier else { throw .noKeyIdentifier(path: path) }
                (credential, key, self.path) = (.keyIdentifier(identifier, claims: claims.raw), claims.key.key, path)
                self.token = try Self.token(token)
            }
        }

        private static func token(_ path: String?) throws(PhoneToolError) -> [UInt8]? {
            guard let path else { return nil }
            return try PhoneFiles.token(at: path).raw
        }
    }
}

extension PhoneIdentity {
    /// The identity that the files of several sites make, the preferred one first.
    public init(_ memberships: [MembershipFiles], allowingOtherKey: Bool = false) throws(PhoneToolError) {
        var made: [PhoneMembership] = []
        for files in memberships { made.append(try PhoneMembership(files, allowingOtherKey: allowingOtherKey)) }
        self.init(memberships: made)
    }

    /// The identity that the files of one site make.
    public init(keyPath: String, gatesPath: String, presenting files: PresentedFiles, allowingOtherKey: Bool = false)
        throws(PhoneToolError) {
        try self.init([MembershipFiles(keyPath: keyPath, gatesPath: gatesPath, presenting: files)], allowingOtherKey: allowingOtherKey)
    }
}

/// The files that make what a phone has from one site.
public struct MembershipFiles: Sendable {
    /// The phone's private key for it.
    public let keyPath: String
    /// The site's `gates.phone`.
    public let gatesPath: String
    /// What is shown there.
    public let files: PresentedFiles

    public init(keyPath: String, gatesPath: String, presenting files: PresentedFiles) {
        self.keyPath = keyPath
        self.gatesPath = gatesPath
        self.files = files
    }

    /// The form in which one can be written.
    public static let form = "key=FILE,gates=FILE,token=FILE"

    /// Reads `form`; in the place of `token` may be `reference` (the token by reference), `ccs` or `enrolled-kid`,
    /// and with those two also `token` (beside it). nil for anything else.
    public init?(_ text: String) {
        var given: [String: String] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard halves.count == 2, !halves[1].isEmpty, given.updateValue(halves[1], forKey: halves[0]) == nil else { return nil }
        }
        guard let key = given.removeValue(forKey: "key"), let gates = given.removeValue(forKey: "gates"),
              let files = Self.files(given) else { return nil }
        self.init(keyPath: key, gatesPath: gates, presenting: files)
    }

    private static func files(_ given: [String: String]) -> PresentedFiles? {
        switch (given["ccs"], given["enrolled-kid"], given["reference"], given["token"]) {
        case (let path?, nil, nil, let token) where given.count == (token == nil ? 1 : 2): .claims(path: path, token: token)
        case (nil, let path?, nil, let token) where given.count == (token == nil ? 1 : 2): .keyIdentifier(path: path, token: token)
        case (nil, nil, let path?, nil) where given.count == 1: .tokenReference(path: path)
        case (nil, nil, nil, let path?) where given.count == 1: .token(path: path)
        case (_, _, _, _): nil
        }
    }
}
