import Credentials
import Cryptography
import Foundation
@testable import InvitationDesk
import Invitations
import Storage
import Testing
import Waits

/// The folder and the database: away, changed, copied, of somebody else.
@Suite struct StateTests {
    /// Another program holds the write lock: phones are told to come again, and what they wanted is there for them.
    @Test func databaseAwayLosesNothing() throws {
        let all = try DeskFixture(), hurried = try all.another(patience: 0), key = try SigningKey.generate(), (code, id) = try all.invite()
        let holder = try DeskDatabase(path: all.scratch.path("desk/invitations.db"), patience: 0)
        try holder.connection.execute("BEGIN IMMEDIATE")
        let request = try all.redeemRequest(code, key)
        #expect(throws: InvitationFault.databaseAway) { try hurried.redeem(request, now: noon) }
        #expect(throws: DeskError.storage(StorageError(.busy, ""))) { try hurried.withdraw(id, by: "op", now: noon) }
        // Looking goes on.
        #expect(throws: Never.self) { try hurried.begin(BeginRequest(code: code), now: noon) }
        try holder.connection.execute("ROLLBACK")
        #expect(throws: Never.self) { try hurried.redeem(request, now: noon) }
    }

    @Test func aDiskThatIsFullLosesNothing() throws {
        let all = try DeskFixture(), full = try all.another()
        let codes = try (0..<60).map { try all.invite("Visitor \($0)").code }
        try full.changes.limitPages()
        var late: RedeemRequest?
        for code in codes where late == nil {
            let request = try all.redeemRequest(code, try SigningKey.generate())
            do throws(InvitationFault) {
                _ = try full.redeem(request, now: noon)
            } catch {
                #expect(error == .databaseAway)
                late = request
            }
        }
        let request = try #require(late)
        var errors: [DeskError] = []
        let wanted = NewInvitation(subject: "Ada", expires: noon + 1000, note: String(repeating: "n", count: 500))
        for _ in 0..<60 where errors.isEmpty {
            do throws(DeskError) { _ = try full.invite(wanted, by: "op", now: noon) } catch { errors.append(error) }
        }
        #expect(errors == [.storage(StorageError(.diskFull, ""))])
        #expect(throws: Never.self) { try all.desk.redeem(request, now: noon) }
        #expect(throws: Never.self) { try all.desk.checkLog() }
    }

    @Test func theLogCannotBeChangedUnseen() throws {
        for change in [
            "UPDATE log SET who = 'Lee' WHERE id = 2", "DELETE FROM log WHERE id = 2", "DELETE FROM log WHERE id = 3",
            "UPDATE log SET at = at - 60 WHERE id = 3"
        ] {
            let all = try DeskFixture()
            for subject in ["Ada", "Bob", "Cem"] { _ = try all.invite(subject) }
            try all.desk.checkLog()
            let path = all.scratch.path("desk/invitations.db")
            // As the database is, nobody changes it by a slip.
            #expect(throws: (any Error).self, "\(change)") { try shell(path, change) }
            #expect(throws: Never.self) { try all.desk.checkLog() }
            // And whoever takes the lock off is seen.
            try shell(path, "DROP TRIGGER log_stays; DROP TRIGGER log_stays_whole; \(change)")
            do throws(DeskError) {
                try all.desk.checkLog()
                Issue.record("nobody saw: \(change)")
            } catch {
                #expect(error.code == "invitation-log-broken")
            }
        }
    }

    /// What a thief of the database has: no code, no password, no session.
    @Test func theDatabaseHoldsNoSecretOfVisitorsAndOperators() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, _) = try all.invite()
        try all.desk.setPassword(name: "Kim", password: "correct horse battery", by: "root", now: noon)
        let session = try all.desk.signIn(name: "Kim", password: "correct horse battery", now: noon)
        try all.redeem(code, key)
        for name in try all.scratch.names where name.hasPrefix("invitations.db") {
            let bytes = Data(try all.scratch.bytes("desk/\(name)"))
            for secret in [code.bytes, Array(code.text.utf8), Array(session.token.utf8), Array("correct horse battery".utf8)] {
                #expect(bytes.range(of: Data(secret)) == nil, "\(name)")
            }
            #expect(try all.scratch.mode("desk/\(name)") == 0o600)
        }
    }

    @Test func aFolderIsMadeOnceAndGoesOnWhereItWasInterrupted() throws {
        let all = try DeskFixture(), key = try all.scratch.bytes("desk/issuer.key")
        #expect(throws: DeskError.alreadyThere(folder: all.scratch.path("desk"))) {
            try InvitationDesk.make(folder: all.scratch.path("desk"), DeskFixture.new, now: noon)
        }
        for name in try all.scratch.names where name.hasPrefix("invitations.db") { try all.scratch.remove("desk/\(name)") }
        #expect(throws: DeskError.noDesk(folder: all.scratch.path("desk"))) { try InvitationDesk.open(folder: all.scratch.path("desk")) }
        try InvitationDesk.make(folder: all.scratch.path("desk"), DeskFixture.new, now: noon)
        #expect(try all.scratch.bytes("desk/issuer.key") == key)
        #expect(try KeyFile(parsing: key).role == .tokenIssuer)
        #expect(throws: Never.self) { try InvitationDesk.open(folder: all.scratch.path("desk")) }
    }

    @Test func othersMayGoThroughToTheQueueAndNoFurther() throws {
        let all = try DeskFixture()
        #expect(try all.scratch.mode("desk") == 0o710 && all.scratch.mode("desk/queue") == 0o750)
        #expect(try all.scratch.mode("desk/issuer.key") == 0o600 && all.scratch.mode("desk/settings.toml") == 0o600)
        for mode in [0o750, 0o711, 0o730] {
            try all.scratch.setMode("desk", mode)
            #expect(throws: DeskError.folderExposed(path: all.scratch.path("desk"), .mode(UInt32(mode)))) {
                try InvitationDesk.open(folder: all.scratch.path("desk"))
            }
        }
        try all.scratch.setMode("desk", 0o700)
        try all.scratch.setMode("desk/issuer.key", 0o640)
        #expect(throws: DeskError.keyExposed(path: all.scratch.path("desk/issuer.key"), .mode(0o640))) {
            try InvitationDesk.open(folder: all.scratch.path("desk"))
        }
    }

    @Test func settingsOfAnotherSiteAreRefused() throws {
        let all = try DeskFixture(), file = try KeyFile(parsing: all.scratch.bytes("desk/issuer.key"))
        var settings = all.desk.settings
        settings.issuer = "somebody"
        #expect(throws: DeskError.otherSite(settings: "somebody of north", database: "visitors of north")) {
            try InvitationDesk(folder: all.scratch.path("desk"), settings: settings, key: file)
        }
        let phone = try KeyFile(role: .phone, making: .sign)
        #expect(throws: DeskError.key(path: all.scratch.path("desk/issuer.key"), .role)) {
            try InvitationDesk(folder: all.scratch.path("desk"), settings: all.desk.settings, key: phone)
        }
    }

    /// What an administrator does with SQLite's own shell, which runs the triggers of a file.
    private func shell(_ path: String, _ sql: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()", path, sql]
        process.standardError = FileHandle.nullDevice
        try process.run()
        try process.finish()
        if process.terminationStatus != 0 { throw CocoaError(.fileWriteUnknown) }
    }
}

extension SharedTransactions {
    /// From now on the file grows by a few pages and no more, as on a disk that is full.
    func limitPages() throws {
        _ = try change { database throws(DeskFailure) in
            try inDatabase { () throws(StorageError) in
                let pages = try database.connection.integer("PRAGMA page_count")
                return try database.connection.integer("PRAGMA max_page_count = \(pages + 2)")
            }
        }
    }
}
