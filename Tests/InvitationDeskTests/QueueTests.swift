import Credentials
import Cryptography
@testable import InvitationDesk
import Invitations
import Storage
import Testing

/// What the office reads of those from whom something was taken.
@Suite struct QueueTests {
    @Test func theQueueHasWhatWasTakenBackUntilItEnds() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, id) = try all.invite()
        #expect(try all.queue().revoked.isEmpty)
        let access = try all.redeem(code, key), cti = try Token(parsing: access.token).identifierClaim
        try all.desk.withdraw(id, by: "op", now: noon)
        #expect(try all.queue() == RevokedQueue(site: "north", issuer: "visitors", revoked: [.init(cti: cti, until: noon + 86_100)]))
        #expect(try all.scratch.mode("desk/queue/revoked.json") == 0o640)
        #expect(throws: InvitationFault.revoked) { try all.renew(key) }
        try all.scratch.remove("desk/queue/revoked.json")
        try all.desk.writeQueue(now: noon + 86_099)
        #expect(try all.queue().revoked.count == 1)
        try all.desk.writeQueue(now: noon + 86_100)
        #expect(try all.queue().revoked.isEmpty)
    }

    /// Somebody puts an older copy of the database back: what the office has not read yet is not lost.
    @Test func aRestoredDatabaseTakesNobodyOutOfTheQueue() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, id) = try all.invite()
        let cti = try Token(parsing: all.redeem(code, key).token).identifierClaim
        try all.desk.revoke(id, by: "op", now: noon)
        let database = try DeskDatabase(path: all.scratch.path("desk/invitations.db"), patience: 2000)
        try database.connection.execute("UPDATE token SET is_taken_back = 0; UPDATE invitation SET state = 'redeemed'")
        try all.desk.writeQueue(now: noon + 1)
        #expect(try all.queue().revoked.map(\.cti) == [cti])
        try all.desk.writeQueue(now: noon + 86_400)
        #expect(try all.queue().revoked.isEmpty)
    }

    /// A queue that cannot be written keeps the state as it was: nobody is told of a revocation that no gate will hear of.
    @Test func aQueueThatCannotBeWrittenTakesNothingBack() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, id) = try all.invite()
        try all.redeem(code, key)
        try all.scratch.remove("desk/queue")
        #expect(throws: DeskError.self) { try all.desk.revoke(id, by: "op", now: noon) }
        #expect(try all.desk.invitation(id).state.name == .redeemed)
        #expect(throws: Never.self) { try all.renew(key) }
        #expect(try all.desk.log(limit: 1).first?.action == .redeemed)
    }

    /// The office takes so many and no more: whoever is suspended gets no token all the same, and what opens longest is what the office learns of.
    @Test func whoIsSuspendedWhileTheQueueIsFullGetsNoTokenEither() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, id) = try all.invite()
        let token = try Token(parsing: all.redeem(code, key).token)
        let database = try DeskDatabase(path: all.scratch.path("desk/invitations.db"), patience: 2000)
        try database.connection.execute("""
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(RevokedQueue.mostEntries))
            INSERT INTO token (identifier, cti, invitation, not_before, expires_at, issued_at, bytes, is_taken_back)
            SELECT randomblob(32), randomblob(8), 0, 0, \(noon + 60), 0, x'00', 1 FROM n
            """)
        #expect(throws: DeskError.queueFull) { try all.desk.suspend(id, by: "op", now: noon) }
        #expect(throws: InvitationFault.suspended) { try all.renew(key) }
        let queue = try all.queue()
        #expect(queue.revoked.count == RevokedQueue.mostEntries && queue.revoked.first?.cti == token.identifierClaim)
        // They have ended.
        try all.desk.writeQueue(now: noon + 60)
        #expect(try all.queue().revoked.map(\.cti) == [token.identifierClaim])
    }
}
