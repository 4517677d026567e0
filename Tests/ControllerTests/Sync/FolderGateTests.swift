import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Foundation
import Gate
import SignedRepository
import SiteData
import Storage
import Testing
import Threads
import Waits

@testable import Controller
@testable import Sync

/// A gate that lives from folders alone: whoever brings one answers for its files, and the gate believes none of it that is not signed (S6).
@Suite(.serialized) final class FolderGateTests {
    let site: TestSite
    let office: SyncServer
    let gate: Controller

    init() throws {
        site = try TestSite()
        office = SyncServer(try SyncOffice(site: TestSite.name, [Self.somebody("ada")], issued: Int64(Date().timeIntervalSince1970) - 3600))
        try site.write(office.office { $0.root }, "root.json")
        gate = try site.controller()
    }

    deinit { gate.stop() }

    static func somebody(_ subject: String) throws -> PublicationRecord {
        let key = try SigningKey.generate(.p256).publicKey
        return .enrolled(EnrolledKey(keyIdentifier: Array(subject.utf8.prefix(4)), key: key, use: .sign, subject: subject, scope: ["tokn"], audiences: []))
    }

    /// One import, to its end.
    private func bring() throws -> JSON {
        let end = try office.program.end()
        let number = UInt64(try #require(try gate.importFolder(descriptor: end.raw)["import"]?.integer))
        let thread = try #require(gate.sync.withLock { $0 })
        try thread.report.wait(for: "the end of import \(number)") { report in
            report.visits.contains { $0.run == number } ? () : nil
        }
        return try gate.importReport(number)
    }

    @Test func whatItBringsIsInUse() throws {
        #expect(gate.status["sync"]?["state"]?.string == "waiting" && gate.status["sync"]?["from"] == nil && gate.status["sync"]?["next"] == nil)
        let first = try bring()
        #expect(first["way"]?.string == "whole" && first["version"]?.integer == 1)
        try office.office { try $0.publish([Self.somebody("bob")], since: [1]) }
        #expect(try bring()["way"]?.string == "changes")
        #expect(try bring()["way"] == nil)
        #expect(gate.status["trust"]?["enrolled"]?.integer == 2)
        #expect(throws: ControlError(code: "sync-off", message: "")) { try gate.synchronise() }
    }

    @Test func theAgeIsThatOfTheFoldersTimestamp() throws {
        _ = try bring()
        let before = try #require(gate.status["trust"]?["age"]?["wall"]?.integer)
        try office.office { office in
            office.sign("timestamp", at: Int64(Date().timeIntervalSince1970))
            try office.release()
        }
        #expect(try bring()["way"] == nil)
        let after = try #require(gate.status["trust"]?["age"]?["wall"]?.integer)
        #expect(before >= 3600 && after < 60)
    }

    @Test func anOldOneIsRefusedAndTheGateGoesOn() throws {
        let old = office.office { $0 }
        _ = try bring()
        try office.office { try $0.publish([Self.somebody("bob")], since: [1]) }
        _ = try bring()
        let new = office.office { $0 }
        office.office { $0 = old }
        #expect(try bring()["failure"]?["code"]?.string == "tuf-rollback")
        #expect(gate.status["trust"]?["enrolled"]?.integer == 2)
        #expect(gate.status["sync"]?["failure"] == nil, "what is wrong with a folder is told to who brought it")
        office.office { $0 = new }
        #expect(try bring()["failure"] == nil)
    }

    @Test func whatIsSpoiltIsReadAgainAsOftenAsSomebodyBringsIt() throws {
        let good = office.office { $0 }
        office.office { office in office.change { $0.targets["people/full"] = nil } }
        for _ in 0..<5 { #expect(try bring()["failure"]?["code"]?.string == "tuf-missing-file") }
        office.office { $0 = good }
        #expect(try bring()["way"]?.string == "whole")
    }

    @Test func aConnectionIsOfOneImport() throws {
        _ = try bring()
        try office.program.waitForEnd(of: 1)
        _ = try bring()
        #expect(office.program.connections == 2)
    }

    /// An operator who brings folder after folder would keep away the one with his own revocation.
    @Test func whoBringsFolderAfterFolderKeepsNobodyElsesAway() throws {
        // Whoever reads these answers nothing: the first one is read for ever.
        let ends = (0..<3).map { _ in ScriptedProgram { _, _ in [] } }
        func bring(_ program: ScriptedProgram, user: UInt32) throws -> Int64? {
            let end = try program.end()
            return try gate.importFolder(descriptor: end.raw, by: Requester(user: user, process: 1))["import"]?.integer
        }
        #expect(try bring(ends[0], user: 1000) == 1)
        let thread = try #require(gate.sync.withLock { $0 })
        try thread.report.wait(for: "the first folder to be read") { $0.visit == 1 ? () : nil }
        #expect(try bring(ends[1], user: 1000) == 2)
        #expect(throws: ControlError(code: "import-waiting", message: "")) { try bring(ends[2], user: 1000) }
        #expect(try bring(ends[2], user: 0) == 3)
    }

    @Test func nobodyKnowsOfImportsThatNeverWere() throws {
        for number: UInt64 in [1, .max] {
            #expect(throws: ControlError(code: "import-unknown", message: "")) { try gate.importReport(number) }
        }
        for _ in 0..<9 { _ = try bring() }
        #expect(throws: ControlError(code: "import-unknown", message: "")) { try gate.importReport(1) }
        #expect(try gate.importReport(9)["ended"]?.bool == true)
    }
}
