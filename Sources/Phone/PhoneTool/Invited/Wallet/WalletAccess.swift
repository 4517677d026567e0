import Cryptography
import Encoding
import Files
import Glibc
import Invitations
import Threads

/// What a wallet has of one invitation: a folder of its own.
///
/// | file | |
/// |---|---|
/// | `key` | the private key, for this invitation alone |
/// | `invitation.json` | the link, as long as it was not redeemed |
/// | `gates.phone`, `token` | what the server gave |
/// | `access.json` | its terms and the server; written last, so that with it the rest is there |
public struct WalletAccess: Hashable, Sendable {
    /// Its name: 16 digits that follow from the link, so that a second try finds the first one's key.
    public let name: String
    /// Where it is.
    public let folder: String

    /// How far it is.
    public enum State: Hashable, Sendable {
        /// The key is there, and perhaps the link.
        case pending(InvitationLink?)
        /// It opens gates.
        case redeemed(KeptAccess)
    }

    /// The files.
    public var keyPath: String { "\(folder)/key" }
    public var tokenPath: String { "\(folder)/token" }
    public var gatesPath: String { "\(folder)/gates.phone" }
    var invitationPath: String { "\(folder)/invitation.json" }
    var termsPath: String { "\(folder)/access.json" }

    static let nameLength = 16

    static func name(of link: InvitationLink) -> String {
        String(Hex.encode(SHA256.hash(Array("tapstile-access \(link.server.base) ".utf8) + link.code.bytes)).prefix(nameLength))
    }

    static func isName(_ text: String) -> Bool {
        text.utf8.count == nameLength && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// What its files say.
    public func state() throws(PhoneToolError) -> State {
        if let object = try object(termsPath) {
            guard let url = object["url"]?.string, let server = InvitationServer(url), let terms = try? AccessTerms(object) else {
                throw .wallet(.damaged(path: termsPath))
            }
            return .redeemed(KeptAccess(server: server, terms: terms))
        }
        guard let object = try object(invitationPath) else { return .pending(nil) }
        guard let url = object["url"]?.string, let server = InvitationServer(url), let code = object["code"]?.string.flatMap({ InvitationCode($0) }) else {
            throw .wallet(.damaged(path: invitationPath))
        }
        return .pending(InvitationLink(server: server, code: code))
    }

    /// What was redeemed.
    public func kept() throws(PhoneToolError) -> KeptAccess {
        guard case .redeemed(let kept) = try state() else { throw .wallet(.notRedeemed(name: name)) }
        return kept
    }

    /// What a tap shows of it.
    /// - Parameter byReference: the token by its identifier first.
    public func membershipFiles(byReference: Bool) -> MembershipFiles {
        MembershipFiles(keyPath: keyPath, gatesPath: gatesPath, presenting: byReference ? .tokenReference(path: tokenPath) : .token(path: tokenPath))
    }

    private func object(_ path: String) throws(PhoneToolError) -> JSONObject? {
        guard access(path, F_OK) == 0 else { return nil }
        guard let object = (try? JSON.parse(try PhoneFiles.read(path)))?.object else { throw .wallet(.damaged(path: path)) }
        return object
    }
}

/// What is kept of an invitation that was redeemed.
public struct KeptAccess: Hashable, Sendable {
    /// Who renews it.
    public let server: InvitationServer
    /// For whom and how long.
    public let terms: AccessTerms

    /// How the token is.
    public enum Validity: String, Hashable, Sendable {
        /// It is not valid yet.
        case notYet = "not-yet"
        /// It is valid.
        case valid
        /// It is valid for a third of its life at most: another one is due.
        case due
        /// It is over; the server gives another one.
        case over
        /// The invitation is over, too.
        case ended
    }

    /// How the token is at `now`, UNIX seconds.
    public func validity(at now: Int64) -> Validity {
        if now >= terms.renewUntil { return .ended }
        if now >= terms.expires { return .over }
        // The server would give the same end again.
        let canBeLonger = terms.expires < terms.renewUntil
        if canBeLonger, terms.expires - now <= (terms.expires - terms.notBefore) / 3 { return .due }
        return now < terms.notBefore ? .notYet : .valid
    }
}
