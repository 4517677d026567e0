import Cryptography
import Encoding
import Invitations

/// Turns links into what opens gates, and keeps it fresh.
///
/// Key and link are on the disk before the server is asked. Whatever breaks off then, the same link, or the access's name, goes on with the same
/// key, for which the server has the same token for ten minutes and another one later.
public struct Redemption {
    private let wallet: Wallet
    private let way: any InvitationWay
    private let now: () -> Int64

    /// - Parameter now: the phone's clock, UNIX seconds.
    public init(wallet: Wallet, way: any InvitationWay, now: @escaping () -> Int64) {
        self.wallet = wallet
        self.way = way
        self.now = now
    }

    /// What came of a request.
    public enum Outcome: String, Hashable, Sendable {
        /// There is a new token.
        case received
        /// What is there is good still; nobody was asked.
        case kept
    }

    /// Redeems a link.
    /// - Parameter keyPath: a phone's key to use; else one is made for this invitation alone.
    public func redeem(_ link: InvitationLink, keyPath: String? = nil) throws(PhoneToolError) -> (WalletAccess, Outcome) {
        try redeem(link, keyPath: keyPath, in: try wallet.place(for: link))
    }

    /// Goes on with a link that was kept.
    public func resume(_ access: WalletAccess) throws(PhoneToolError) -> (WalletAccess, Outcome) {
        let place = try WalletPlace(access)
        switch try access.state() {
        case .redeemed: return (access, .kept)
        case .pending(let link?): return try redeem(link, keyPath: nil, in: place)
        case .pending(nil): throw .wallet(.unknown(access.name))
        }
    }

    private func redeem(_ link: InvitationLink, keyPath: String?, in place: WalletPlace) throws(PhoneToolError) -> (WalletAccess, Outcome) {
        if case .redeemed = try place.access.state() {
            // A crash may have left it.
            try place.forgetCode()
            return (place.access, .kept)
        }
        do throws(PhoneToolError) {
            let key = try place.key(copying: keyPath)
            try place.keep(link)
            try place.keep(try ask(link, key: key, isSecondTry: !place.isNew), from: link.server)
        } catch {
            // What was made for a code that is good for nothing.
            if place.isNew, case .invited(.refused(let refusal)) = error, refusal.endsInvitation { try place.remove() }
            throw error
        }
        return (place.access, .received)
    }

    private func ask(_ link: InvitationLink, key: SigningKey, isSecondTry: Bool) throws(PhoneToolError) -> ReceivedAccess {
        let client = InvitationClient(way: way, server: link.server, now: now)
        do throws(PhoneToolError) {
            let (site, nonce) = try begin(client, link.code, isSecondTry: isSecondTry)
            return try client.redeem(link.code, nonce: nonce, key: key, of: site)
        } catch {
            // The answer to our own first try was lost, longer ago than the server repeats it.
            guard isSecondTry, error.code == "code-used" else { throw error }
            do throws(PhoneToolError) { return try client.renew(key: key, of: nil) } catch let later {
                throw later.code == "key-unknown" ? error : later
            }
        }
    }

    /// A code that our own first try has used may be called used; it is good for the same key still.
    private func begin(_ client: InvitationClient, _ code: InvitationCode, isSecondTry: Bool) throws(PhoneToolError) -> (String?, NonceText) {
        do throws(InvitedFault) {
            do throws(InvitedFault) {
                return try client.begin(code)
            } catch {
                guard isSecondTry, error.isRefusal("code-used") else { throw error }
                return (nil, try client.nonce())
            }
        } catch {
            throw .invited(error)
        }
    }

    /// Gets another token.
    /// - Parameter isForced: also where the one that is there is good for more than a third of its life.
    public func renew(_ access: WalletAccess, isForced: Bool = false) throws(PhoneToolError) -> Outcome {
        let place = try WalletPlace(access)
        let kept = try access.kept()
        switch kept.validity(at: now()) {
        case .notYet, .valid: guard isForced else { return .kept }
        // The server may see it otherwise: this clock may be wrong.
        case .due, .over, .ended: break
        }
        let client = InvitationClient(way: way, server: kept.server, now: now)
        try place.keep(try client.renew(key: try place.key(), of: kept.terms.site), from: kept.server)
        return .received
    }
}
