import Credentials
import Cryptography
import Encoding
import Invitations
import PhoneTool
import Testing

@Suite("Answers of a server of invitations")
struct ReceivedAccessTests {
    let server: InvitingServer
    let key: PublicKey
    let good: JSONObject

    init() throws {
        server = try InvitingServer()
        key = try SigningKey.generate(.p256).publicKey
        good = server.issue(key).json.object ?? JSONObject()
    }

    private func read(_ object: JSONObject, of site: String? = "north") throws(InvitedFault) -> ReceivedAccess {
        let answer = ServerAnswer(status: 200, body: JSON.object(object).canonical)
        return try ReceivedAccess(try answer.object(), for: key, of: site, at: server.now)
    }

    private func flaw(_ changes: (inout JSONObject) -> Void, of site: String? = "north") -> AnswerFlaw? {
        var object = good
        changes(&object)
        do throws(InvitedFault) { _ = try read(object, of: site) } catch { if case .answer(let flaw) = error { return flaw } }
        return nil
    }

    @Test func whatTheServerIssuesIsRead() throws {
        let received = try read(good)
        let issued = try #require(IssuedAccess(json: .object(good)))
        #expect(received.token.raw == issued.token && received.gates == issued.gates)
        #expect(received.terms.site == "north" && received.terms.subject == "anna" && received.terms.expires == issued.expires)
        #expect(received.terms.messages == issued.words.messages && received.terms.languages == issued.words.languages)
        #expect(try AccessTerms(received.terms.json) == received.terms, "what is kept is what was read")
        #expect(try read(good, of: nil) == received)
    }

    @Test func theSitesOwnWordsAreThoseOfTheLanguageOrOfItsKind() throws {
        let words = ["expired": "Ihr Zutritt ist abgelaufen."]
        let terms = try read(good).terms
        #expect(terms.words(in: "de") == words && terms.words(in: "de-CH") == words)
        #expect(terms.words(in: "en") == [:] && terms.words(in: nil) == [:] && terms.words(in: "") == [:])
    }

    @Test func noMemberMayBeMissing() {
        for name in good.keys { #expect(flaw { $0[name] = nil } != nil, "\(name)") }
    }

    @Test func noMemberMayBeOfAnotherKind() {
        for name in good.keys {
            for value: JSON in [.null, [], [:], "", 0, 1.5, -1, true, .array([.null]), .object(["x": .null])] where good[name] != value {
                // No languages, no services and no words are as good as some.
                let isEmptyList = ["languages", "services"].contains(name) && value == [] || name == "messages" && value == [:]
                #expect((flaw { $0[name] = value } == nil) == isEmptyList, "\(name): \(value.text)")
            }
        }
    }

    @Test func theTokenIsForThisKeyAlone() throws {
        let other = server.issue(try SigningKey.generate(.p256).publicKey).json
        #expect(flaw { $0["token"] = other["token"] } == .otherKey)
        let agrees = TokenClaims(
            issuer: "visitors", subject: "anna", audiences: ["tapstile:north"], notBefore: server.now - 300, expiresAt: server.now + 86_400, cti: [1],
            confirmationKey: COSEKey(key: key, use: .agree))
        let token = try Token.issue(agrees, key: server.issuer)
        #expect(flaw { $0["token"] = .string(Base64.encode(token.raw, .url)) } == .malformed("the use of the token's key"))
    }

    @Test func gatesAreOfTheSiteAndNeverThePhoneItself() throws {
        func gates(_ bytes: [UInt8]) -> (inout JSONObject) -> Void { { $0["gates"] = .string(Base64.encode(bytes, .url)) } }
        let south = GateCredential(site: "south", key: try SigningKey.generate(.p256).publicKey).claims
        let issuer = GateIssuer(site: "south", name: "gates", key: try SigningKey.generate(.p256).publicKey)
        #expect(flaw(gates(south)) == .otherSite)
        #expect(flaw(gates(server.gates + south)) == .otherSite)
        #expect(flaw(gates(server.gates + GateListEntry.issuer(issuer).encoded)) == .otherSite)
        #expect(flaw(gates(server.gates + GateCredential(site: "north", key: key).claims)) == .malformed("a gate of another key"))
        #expect(flaw(gates(Array(server.gates.dropLast()))) == .malformed("gates"))
        #expect(flaw(gates([UInt8](repeating: 0xA0, count: 40))) == .malformed("gates"))
        #expect(flaw(gates(Array(repeating: server.gates, count: 257).flatMap { $0 })) == .malformed("gates"))
    }

    @Test func anAnswerOfAnotherSiteThanTheInvitationIsRefused() { #expect(flaw({ _ in }, of: "south") == .otherSite) }

    @Test func timesAreThoseOfTheTokenAndNotOver() {
        for name in ["expires", "notBefore"] {
            #expect(flaw { $0[name] = JSON(($0[name]?.integer ?? 0) - 1) } == .malformed("what the token says"))
        }
        #expect(flaw { $0["renewUntil"] = JSON(($0["expires"]?.integer ?? 0) - 1) } == .malformed("an order of its times"))
        server.now += 86_400
        #expect(flaw { _ in } == .over)
        server.now -= 1
        #expect(flaw { _ in } == nil)
    }

    @Test func refusalsCarryTheServersCodeAndNothingElse() {
        func fault(_ status: Int, _ body: JSON) -> InvitedFault? {
            do throws(InvitedFault) { _ = try ServerAnswer(status: status, body: body.canonical).object() } catch { return error }
            return nil
        }
        for known in [InvitationFault.codeUsed, .tooMany(retryAfter: 7), .databaseAway, .clockDiffers(server: 0)] {
            let expected = ServerRefusal(code: known.code, message: known.message, retryAfter: known.retryAfter.map(Int64.init))
            #expect(fault(known.status, known.json) == .refused(expected))
        }
        #expect(fault(503, ["error": ["code": "busy", "message": "Busy."], "retryAfter": 7])?.message == "Busy. Try again in 7 s.")
        for code in ["", "Granted", "a b", "a\nb", String(repeating: "a", count: 65)] {
            #expect(fault(403, ["error": ["code": .string(code), "message": "x"]])?.code == "answer-malformed")
        }
        #expect(fault(403, ["error": ["code": "x", "message": .string(String(repeating: "x", count: 501))]])?.code == "answer-malformed")
        #expect(fault(302, "https://elsewhere.example/") == .answer(.redirect))
        #expect(fault(200, []) == .answer(.malformed("its object")))
        #expect(throws: InvitedFault.answer(.tooLong)) {
            try ServerAnswer(status: 200, body: [UInt8](repeating: 0x20, count: ServerAnswer.mostBytes + 1)).object()
        }
    }
}
