import Credentials
import Cryptography
import Encoding
import Invitations
import Testing

/// Bodies of requests, and what stands for their keys.
@Suite struct RequestTests {
    private func redeem(_ key: SigningKey) throws -> RedeemRequest {
        try RedeemRequest(code: .make(), key: key, nonce: try #require(NonceText("abc")), origin: origin, time: noon, attestation: [[1, 2], [3]])
    }

    @Test func requestsAreReadAsTheyWereWritten() throws {
        let key = try SigningKey.generate()
        let redeem = try redeem(key), renew = try RenewRequest(key: key, nonce: try #require(NonceText("abc")), origin: origin, time: noon)
        #expect(try RedeemRequest(json: redeem.json.canonical) == redeem)
        #expect(try RenewRequest(json: renew.json.canonical) == renew)
        let begin = BeginRequest(code: .make())
        #expect(try BeginRequest(json: begin.json.canonical) == begin)
        #expect(redeem.statement(origin: origin).isSigned(redeem.signature, by: key.publicKey))
        #expect(!redeem.statement(origin: "https://elsewhere.example").isSigned(redeem.signature, by: key.publicKey))
    }

    @Test func aMalformedCodeAnswersAsAnUnknownOne() {
        for text in ["", "short", "AAAAAAAAAAAAAAAAAAAAAB", String(repeating: "A", count: 4000)] {
            #expect(throws: InvitationFault.codeUnknown) { try BeginRequest(json: JSON.object(["code": .string(text)]).canonical) }
        }
    }

    @Test func whatTheProtocolDoesNotSayIsRefused() throws {
        let good = try #require(try redeem(SigningKey.generate()).json.object)
        #expect(throws: InvitationFault.tooLong) { try RedeemRequest(json: [UInt8](repeating: 0x20, count: RequestBody.longest + 1)) }
        let bad: [(String, JSON?)] = [
            ("key", nil), ("key", "x"), ("time", "2026-11-25T12:00:00.5Z"), ("time", 1), ("signature", "AA"), ("signature", nil),
            ("attestation", []), ("attestation", ["AA", "?"]), ("admin", true), ("code", 1)
        ]
        for (name, value) in bad {
            var body = good
            body[name] = value
            #expect(throws: InvitationFault.requestMalformed("")) { try RedeemRequest(json: JSON.object(body).canonical) }
        }
        for text in ["", "[]", "{", "{\"code\":\"a\",\"code\":\"b\"}", "{\"code\":\"\u{1}\"}"] {
            #expect(throws: InvitationFault.requestMalformed("")) { try BeginRequest(json: Array(text.utf8)) }
        }
        var body = good
        body["nonce"] = "two\nlines"
        #expect(throws: InvitationFault.nonceUnknown) { try RedeemRequest(json: JSON.object(body).canonical) }
    }

    @Test func aKeyComesInThreeFormsAndIsOneKey() throws {
        let key = try SigningKey.generate(), request = try redeem(key), phone = PhoneKey(key: key.publicKey)
        for (form, name) in [(PhoneKeyForm.cose, "cose"), (.der, "spki")] {
            var body = try #require(request.json.object)
            body["key"] = .object(JSONObject([(name, .string(Base64.encode(try phone.encoded(as: form), .url)))]))
            #expect(try RedeemRequest(json: JSON.object(body).canonical).key == key.publicKey)
        }
    }

    @Test func keysThatGatesWouldRefuseAreRefused() throws {
        let request = try redeem(SigningKey.generate())
        let one = try SigningKey(rawPrivate: [UInt8](repeating: 0, count: 31) + [1], curve: .p256).publicKey
        func jwk(_ x: [UInt8], _ y: [UInt8], _ more: JSONObject = [:]) -> JSON {
            var object: JSONObject = ["kty": "EC", "crv": "P-256", "x": .string(Base64.encode(x, .url)), "y": .string(Base64.encode(y, .url))]
            for member in more { object[member.key] = member.value }
            return .object(object)
        }
        let fresh = try SigningKey.generate().publicKey
        let y = try #require(fresh.y), oneY = try #require(one.y)
        let spki = try PhoneKey(key: fresh).encoded(as: .der), cose = try PhoneKey(key: fresh).encoded(as: .cose)
        let bad: [JSON] = [
            // Everybody has its private half.
            jwk(one.x, oneY),
            // Not on the curve.
            jwk(fresh.x, fresh.x),
            // Agrees instead of signing.
            jwk(fresh.x, y, ["key_ops": ["deriveBits"]]),
            // A private key.
            jwk(fresh.x, y, ["d": "AA"]),
            // Another form than it says, none, two.
            ["cose": .string(Base64.encode(spki, .url))], ["spki": .string(Base64.encode(cose, .url))], [:],
            ["cose": .string(Base64.encode(cose, .url)), "spki": .string(Base64.encode(spki, .url))], ["kty": "RSA"], ["cose": "?"]
        ]
        for key in bad {
            var body = try #require(request.json.object)
            body["key"] = key
            #expect(throws: InvitationFault.keyRefused("")) { try RedeemRequest(json: JSON.object(body).canonical) }
        }
    }

    @Test func answersAreReadAsTheyWereWritten() throws {
        let words = SiteWords(languages: ["de", "en"], messages: ["de": ["expired": "Vorbei."]])
        let begun = BegunInvitation(site: "north", subject: "Ada", nonce: try #require(NonceText("abc")), time: noon, validUntil: noon + 1, words: words,
                                    services: ["a"])
        #expect(BegunInvitation(json: begun.json) == begun)
        let challenge = SHA256.hash(Array("tapstile-attestation-1abc".utf8))
        #expect(begun.json["attestation"]?.string == Base64.encode(challenge, .url))
        let access = IssuedAccess(token: [1], gates: [2], subject: "Ada", site: "north", notBefore: 1, expires: 2, renewUntil: 3, userVerified: true,
                                  words: words, services: ["a"])
        #expect(IssuedAccess(json: access.json) == access)
        #expect(IssuedAccess(json: begun.json) == nil)
        let fault = InvitationFault.tooMany(retryAfter: 7).json
        #expect(fault["error"]?["code"]?.string == "too-many" && fault["error"]?["retryAfter"]?.integer == 7)
    }

    @Test func aQueueIsReadAsItWasWrittenAndWhatIsNoneIsNot() throws {
        let queue = RevokedQueue(site: "north", issuer: "door", revoked: [.init(cti: [1, 2], until: 5)])
        #expect(RevokedQueue(json: queue.json.canonical) == queue)
        let bad: [JSON] = [
            ["site": "n", "issuer": "d", "revoked": [["cti": "0102", "until": -1]]], ["site": "n", "issuer": "d", "revoked": [["cti": "", "until": 1]]],
            ["site": "n", "issuer": "d"], ["site": "n", "revoked": []], ["site": "n", "issuer": "d", "revoked": [["cti": "01"]]]
        ]
        for json in bad { #expect(RevokedQueue(json: json.canonical) == nil) }
        let newer: JSON = ["site": "n", "issuer": "d", "revoked": [["cti": "01", "until": 1, "key": "00"]], "key": "00"]
        #expect(RevokedQueue(json: newer.canonical) == RevokedQueue(site: "n", issuer: "d", revoked: [.init(cti: [1], until: 1)]))
        let full = queue.json.canonical + [UInt8](repeating: 0x20, count: RevokedQueue.longest - queue.json.canonical.count)
        #expect(RevokedQueue(json: full) == queue && RevokedQueue(json: full + [0x20]) == nil)
    }
}
