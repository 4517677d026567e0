import Cryptography
import Encoding
import Invitations

/// What a phone says to a server of invitations (docs/phone-protocol.md), and what it makes of the answers.
struct InvitationClient {
    let way: any InvitationWay
    let server: InvitationServer
    /// UNIX seconds.
    let now: () -> Int64

    /// What the server says about a code, which uses nothing up.
    func begin(_ code: InvitationCode) throws(InvitedFault) -> (site: String, nonce: NonceText) {
        let object = try ask("begin", BeginRequest(code: code).json)
        return (try object.name("site"), try object.nonce())
    }

    func nonce() throws(InvitedFault) -> NonceText { try ask("nonce", .object(JSONObject())).nonce() }

    func redeem(_ code: InvitationCode, nonce: NonceText, key: SigningKey, of site: String?) throws(PhoneToolError) -> ReceivedAccess {
        let request: RedeemRequest
        do throws(CryptographyError) {
            request = try RedeemRequest(code: code, key: key, nonce: nonce, origin: server.origin, time: now())
        } catch {
            throw .cryptography(error)
        }
        return try access("redeem", request.json, for: key, of: site)
    }

    func renew(key: SigningKey, of site: String?) throws(PhoneToolError) -> ReceivedAccess {
        let nonce: NonceText
        do throws(InvitedFault) { nonce = try self.nonce() } catch { throw .invited(error) }
        let request: RenewRequest
        do throws(CryptographyError) {
            request = try RenewRequest(key: key, nonce: nonce, origin: server.origin, time: now())
        } catch {
            throw .cryptography(error)
        }
        return try access("renew", request.json, for: key, of: site)
    }

    private func access(_ request: String, _ body: JSON, for key: SigningKey, of site: String?) throws(PhoneToolError) -> ReceivedAccess {
        do throws(InvitedFault) {
            return try ReceivedAccess(try ask(request, body), for: key.publicKey, of: site, at: now())
        } catch {
            throw .invited(error)
        }
    }

    private func ask(_ request: String, _ body: JSON) throws(InvitedFault) -> JSONObject {
        try way.post("/api/1/\(request)", to: server, body).object()
    }
}
