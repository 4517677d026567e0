import Credentials
import Cryptography
import Encoding
import Invitations
import InvitationDesk
import Testing

/// Whoever has an invitation goes on having tokens, and nobody else.
@Suite struct RenewingTests {
    @Test func afterTheWeekendTheTokenHasEndedAndTheInvitationHasNot() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, _) = try all.invite()
        let first = try all.redeem(code, key), monday = noon + 3 * 86_400
        #expect(first.expires < monday)
        let next = try all.renew(key, at: monday)
        #expect(next.expires == monday + 86_100 && next.token != first.token)
        #expect(try Token(parsing: next.token).confirmationKey == key.publicKey)
        // The last one ends with the invitation.
        #expect(try all.renew(key, at: noon + 7 * 86_400 - 10).expires == noon + 7 * 86_400)
    }

    @Test func ofAnInvitationThatIsOver() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, _) = try all.invite()
        try all.redeem(code, key)
        #expect(throws: InvitationFault.over) { try all.renew(key, at: noon + 7 * 86_400) }
    }

    @Test func withARevokedKey() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, id) = try all.invite()
        try all.redeem(code, key)
        try all.desk.revoke(id, by: "op", now: noon)
        #expect(throws: InvitationFault.revoked) { try all.renew(key) }
        #expect(throws: InvitationFault.revoked) { try all.redeem(code, key) }
        #expect(throws: DeskError.otherState(id, .revoked)) { try all.desk.resume(id, by: "op", now: noon) }
    }

    @Test func afterSuspensionAndAfterThat() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, id) = try all.invite()
        let first = try all.redeem(code, key)
        try all.desk.suspend(id, by: "op", now: noon)
        #expect(throws: InvitationFault.suspended) { try all.renew(key) }
        // Not even the token that it had already.
        #expect(throws: InvitationFault.suspended) { try all.redeem(code, key) }
        try all.desk.resume(id, by: "op", now: noon)
        let next = try all.renew(key)
        #expect(try Token(parsing: next.token).identifierClaim != Token(parsing: first.token).identifierClaim)
    }

    /// Within the ten minutes a key that was suspended and resumed gets a token that counts.
    @Test func aRepetitionNeverBringsBackWhatWasTakenBack() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, id) = try all.invite()
        let first = try all.redeem(code, key)
        try all.desk.suspend(id, by: "op", now: noon)
        try all.desk.resume(id, by: "op", now: noon)
        let again = try all.redeem(code, key), taken = try all.queue().revoked.map(\.cti)
        #expect(again.token != first.token)
        #expect(try taken == [Token(parsing: first.token).identifierClaim])
    }

    @Test func replayedAndForAnotherOriginAndByAnotherKey() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, _) = try all.invite()
        try all.redeem(code, key)
        let request = try all.renewRequest(key)
        #expect(throws: Never.self) { try all.desk.renew(request, now: noon) }
        #expect(throws: InvitationFault.nonceUnknown) { try all.desk.renew(request, now: noon) }
        #expect(throws: InvitationFault.nonceUnknown) { try all.another().renew(request, now: noon + 1) }
        let elsewhere = try all.renewRequest(key, for: "https://elsewhere.example")
        #expect(throws: InvitationFault.proofWrong) { try all.desk.renew(elsewhere, now: noon) }
        #expect(throws: InvitationFault.keyUnknown) { try all.renew(try SigningKey.generate()) }
        // What was signed to redeem renews nothing.
        let other = try SigningKey.generate(), (second, _) = try all.invite(), redeem = try all.redeemRequest(second, other)
        var body = try #require(redeem.json.object)
        body["code"] = nil
        let forged = try RenewRequest(json: JSON.object(body).canonical)
        #expect(throws: InvitationFault.proofWrong) { try all.desk.renew(forged, now: noon) }
    }

    /// Its tokens alone could fill what the office takes from the queue.
    @Test func aPhoneThatRenewsForEverHasFewTokens() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, id) = try all.invite()
        try all.redeem(code, key)
        for time in 0..<30 { _ = try all.renew(key, at: noon + Int64(time) * 600) }
        try all.desk.revoke(id, by: "op", now: noon + 18_000)
        #expect(try (4...8).contains(all.queue().revoked.count))
    }

    /// A token is good for the key that it names, and for no other that has one.
    @Test func tokenOfAnothersKey() throws {
        let all = try DeskFixture(), ada = try SigningKey.generate(), bob = try SigningKey.generate()
        try all.redeem(all.invite("Ada").code, ada)
        try all.redeem(all.invite("Bob").code, bob)
        #expect(try Token(parsing: all.renew(ada).token).subject == "Ada")
        #expect(try Token(parsing: all.renew(bob).token).subject == "Bob")
        #expect(try Token(parsing: all.renew(bob).token).confirmationKey == bob.publicKey)
    }
}
