import Credentials
import Cryptography
import Encoding
import Invitations
import PhoneTool

/// A server of invitations in the same process: one code, one site, and whatever a test wants of it.
final class InvitingServer: InvitationWay {
    let link: InvitationLink
    let issuer: SigningKey
    let gates: [UInt8]
    let site = "north", subject = "anna"
    /// UNIX seconds.
    var now: Int64 = 1_800_000_000
    var lifetime: Int64 = 86_400
    var renewUntil: Int64 = 1_800_000_000 + 7 * 86_400
    /// Names of the requests that came.
    private(set) var requests: [String] = []
    /// What is answered in the place of an answer; throws where none arrives.
    var tamper: (String, ServerAnswer) throws(InvitedFault) -> ServerAnswer = { _, answer in answer }
    private var redeemed: (key: PublicKey, at: Int64, answer: IssuedAccess)?
    private var nonces = 0

    init() throws {
        issuer = try SigningKey.generate(.p256)
        gates = GateCredential(site: "north", key: try SigningKey.generate(.p256).publicKey).claims
        link = try InvitationLink("https://gates.example/visit/#\(InvitationCode.make().text)")
    }

    func post(_ path: String, to server: InvitationServer, _ body: JSON) throws(InvitedFault) -> ServerAnswer {
        let name = String(path.dropFirst("/api/1/".count))
        requests.append(name)
        let answer: ServerAnswer
        do throws(InvitationFault) {
            answer = ServerAnswer(status: 200, body: try self.answer(name, body.canonical, at: server.origin).canonical)
        } catch {
            answer = ServerAnswer(status: error.status, body: error.json.canonical)
        }
        return try tamper(name, answer)
    }

    private func answer(_ name: String, _ body: [UInt8], at origin: String) throws(InvitationFault) -> JSON {
        switch name {
        case "begin":
            guard try BeginRequest(json: body).code == link.code else { throw .codeUnknown }
            guard redeemed == nil else { throw .codeUsed }
            return ["site": .string(site), "nonce": .string(nonce())]
        case "nonce": return ["nonce": .string(nonce())]
        case "redeem":
            let request = try RedeemRequest(json: body)
            guard request.code == link.code else { throw .codeUnknown }
            guard request.statement(origin: origin).isSigned(request.signature, by: request.key) else { throw .proofWrong }
            if let redeemed {
                guard redeemed.key == request.key, now - redeemed.at <= 600 else { throw .codeUsed }
                return redeemed.answer.json
            }
            let access = issue(request.key)
            redeemed = (request.key, now, access)
            return access.json
        default:
            let request = try RenewRequest(json: body)
            guard request.statement(origin: origin).isSigned(request.signature, by: request.key) else { throw .proofWrong }
            guard request.key == redeemed?.key else { throw .keyUnknown }
            return issue(request.key).json
        }
    }

    private func nonce() -> String {
        nonces += 1
        return "nonce-\(nonces)"
    }

    /// What a phone with this key is given.
    func issue(_ key: PublicKey) -> IssuedAccess {
        let expires = min(now + lifetime, renewUntil)
        let claims = TokenClaims(
            issuer: "visitors", subject: subject, audiences: ["tapstile:north"], notBefore: now - 300, expiresAt: expires,
            cti: RandomBytes.make(16), confirmationKey: COSEKey(key: key))
        return IssuedAccess(
            token: (try? Token.issue(claims, key: issuer).raw) ?? [], gates: gates, subject: subject, site: site, notBefore: now - 300,
            expires: expires, renewUntil: renewUntil, userVerified: false,
            words: SiteWords(languages: ["de", "en"], messages: ["de": ["expired": "Ihr Zutritt ist abgelaufen."]]),
            services: ["00005301-0010-002a-426c-756549442a00"])
    }
}
