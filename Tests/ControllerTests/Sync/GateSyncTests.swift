import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Files
import Foundation
import SignedRepository
import SiteData
import Storage
import Testing
import Threads
import Waits

@testable import Controller
@testable import Sync

/// A gate that synchronises: the real thread, the real site data, a program that answers for the office (S1–S5).
@Suite(.serialized) final class GateSyncTests {
    let site: TestSite
    let server: SyncServer
    private let listening: ScriptedProgram.Listening
    private let events = EventLog()
    private let key: SigningKey

    init() throws {
        site = try TestSite()
        key = try SigningKey.generate(.p256)
        server = SyncServer(try SyncOffice(
            site: TestSite.name, [Self.enrolled(key, "ada")] + Self.strangers(4), issued: Int64(Date().timeIntervalSince1970) - 3600))
        listening = try server.program.listen(at: site.path("fetch.sock"))
        try site.write(server.office { $0.root }, "root.json")
        try site.configure(lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0", source: "root = \"\(site.path("root.json"))\"", more: """
            [audit]
            wait-ms = 250
            durable-within-ms = 2000
            [sync]
            url = "\(SyncOffice.url)"
            socket = "\(site.path("fetch.sock"))"
            """)
    }

    static func enrolled(_ key: SigningKey, _ subject: String) -> PublicationRecord {
        .enrolled(EnrolledKey(keyIdentifier: Array(subject.utf8.prefix(4)), key: key.publicKey, use: .sign, subject: subject, scope: ["tokn"], audiences: []))
    }

    /// People of whom nobody hears.
    private static func strangers(_ count: Int) throws -> [PublicationRecord] {
        try (0..<count).map { enrolled(try SigningKey.generate(.p256), "person-\($0)") }
    }

    /// A gate, and what it says of the first run that is over.
    private func gate() throws -> Controller {
        let gate = try site.controller()
        gate.listen { [events] in events.add($0) }
        return gate
    }

    /// Asks for a run and waits until it is over.
    @discardableResult
    private func synchronise(_ gate: Controller) throws -> JSON {
        let run = UInt64(try #require(try gate.synchronise()["run"]?.integer))
        let thread = try #require(gate.sync.withLock { $0 })
        return try thread.report.wait(for: "the end of run \(run)") { report in
            (report.last?.run ?? 0) >= run ? report.json(ofRun: run) : nil
        }
    }

    /// S2: after a restart the gate said that nothing had been fetched yet, over data that had been.
    @Test func theLastSuccessSurvivesARestart() throws {
        let (success, change) = try endsOfFirstRun()
        // Nobody answers any more.
        listening.stop()
        let second = try gate()
        defer { second.stop() }
        #expect(second.status["sync"]?["lastSuccess"]?.string == success && second.status["sync"]?["lastChange"]?.string == change && change != nil)
        // The office's roles count for a day.
        let roles = try #require(second.status["sync"]?["roles"]?.object)
        #expect(roles.map(\.key) == ["people", "root", "snapshot", "targets", "timestamp"])
        #expect(second.status["sync"]?["warning"]?["code"]?.string == "sync-ends-soon" && second.status["trust"]?["tokensUntil"] != nil)
        let again = try #require(second.sync.withLock { $0 })
        let end = try again.report.wait(for: "the end of a run without a server") { $0.last }
        #expect(end.failure != nil && second.status["sync"]?["lastSuccess"]?.string == success)
    }

    /// What a gate that has stopped said of its first run. Its thread hangs up once nobody holds it any more.
    private func endsOfFirstRun() throws -> (success: String, change: String?) {
        let gate = try gate()
        defer { gate.stop() }
        let thread = try #require(gate.sync.withLock { $0 })
        _ = try thread.report.wait(for: "the end of the first run") { $0.last }
        let sync = try #require(gate.status["sync"])
        return (try #require(sync["lastSuccess"]?.string), sync["lastChange"]?.string)
    }

    /// What another site's gate remembered is nothing of this one's, and neither is what is damaged.
    @Test func aDamagedPastIsNone() throws {
        let past = SyncPast(lastSuccess: 1_700_000_000_000, lastChange: nil)
        try past.write(directory: site.path(""), site: "hill")
        #expect(SyncPast(directory: site.path(""), site: "hill") == past && SyncPast(directory: site.path(""), site: "valley") == nil)
        for bytes in [[], [0x80], Array("text".utf8), [0x83, 0x64, 0x68, 0x69, 0x6C, 0x6C, 0xF6, 0xF6]] as [[UInt8]] {
            try SmallFile.replace(site.path("sync.last"), with: bytes)
            #expect(SyncPast(directory: site.path(""), site: "hill") == nil)
        }
    }

    @Test func aNewGateFetchesItsDataAndServes() throws {
        let gate = try gate()
        defer { listening.stop() }
        defer { gate.stop() }
        // Without data it begins by itself.
        let thread = try #require(gate.sync.withLock { $0 })
        let end = try thread.report.wait(for: "the end of the first run") { $0.last }
        #expect(end.failure == nil)
        #expect(end.way == "whole")
        let trust = try #require(gate.status["trust"])
        #expect(trust["origin"]?.string == "repository" && trust["version"]?.integer == 1 && trust["enrolled"]?.integer == 5)
        #expect(gate.status["sync"]?["failure"] == nil)
        #expect(gate.status["sync"]?["lastSuccess"] != nil && gate.status["sync"]?["next"] != nil)

        let other = try SigningKey.generate(.p256)
        try server.office { try $0.publish([Self.enrolled(other, "bob")], since: [1]) }
        #expect(try synchronise(gate)["way"]?.string == "changes")
        #expect(gate.status["trust"]?["enrolled"]?.integer == 6)
        #expect(try synchronise(gate)["way"] == nil)

        let kinds = try gate.records().filter { $0["kind"]?.string == "trust" }.compactMap { $0["detail"]?["origin"]?.string }
        #expect(kinds == ["repository", "repository"])
        let states = events.all.filter { $0.kind == .sync }.compactMap { $0.fields["state"]?.string }
        #expect(states.suffix(4) == ["began", "succeeded", "began", "succeeded"])
    }

    @Test func aServerThatIsAwayChangesNothingAndIsRecordedOnce() throws {
        let gate = try gate()
        defer { listening.stop() }
        defer { gate.stop() }
        try synchronise(gate)
        let office = server.office { $0 }
        server.office { office in office.change { $0.serve("timestamp.json", nil) } }
        for _ in 0..<3 { #expect(try synchronise(gate)["failure"]?["code"]?.string == "tuf-missing-file") }
        #expect(gate.status["sync"]?["failure"]?["count"]?.integer == 3)
        #expect(gate.status["trust"]?["enrolled"]?.integer == 5)
        server.office { $0 = office }
        #expect(try synchronise(gate)["failure"] == nil)
        let told = try gate.records().compactMap { $0["detail"]?["what"]?.string }.filter { ["unreachable", "reachable"].contains($0) }
        #expect(told == ["unreachable", "reachable"])
    }

    /// The folder or the file that keeps what is known of the repository.
    @Test(arguments: ["tuf", "trust.versions"]) func aGateThatCannotRememberServesAndSaysSo(name: String) throws {
        let first = try gate()
        try synchronise(first)
        first.stop()
        let place = site.folder.appendingPathComponent("state/\(name)"), files = FileManager.default
        try files.removeItem(at: place)
        if name == "tuf" {
            try Data("no folder".utf8).write(to: place)
        } else {
            try files.createDirectory(at: place, withIntermediateDirectories: false)
        }
        let gate = try gate()
        defer { listening.stop() }
        defer { gate.stop() }
        #expect(gate.status["trust"]?["enrolled"]?.integer == 5)
        #expect(try synchronise(gate)["failure"]?["code"]?.string == "sync-memory-failed")
        #expect(gate.status["sync"]?["failure"]?["code"]?.string == "sync-memory-failed" && gate.status["sync"]?["next"] != nil)
        #expect(events.all.contains { $0.kind == .sync && $0.fields["code"]?.string == "sync-memory-failed" })
        #expect(try gate.records().contains { $0["reason"]?.string == "sync-memory-failed" })
        // Fixed while it serves.
        try files.removeItem(at: place)
        #expect(try synchronise(gate)["failure"] == nil)
        #expect(gate.status["sync"]?["failure"] == nil)
    }

    @Test func siteDataThatAreDamagedAreFetchedAgain() throws {
        let gate = try gate()
        try synchronise(gate)
        gate.stop()
        try Data("rubbish".utf8).write(to: site.folder.appendingPathComponent("state/trust.db"))
        let next = try self.gate()
        defer { listening.stop() }
        defer { next.stop() }
        let thread = try #require(next.sync.withLock { $0 })
        #expect(try thread.report.wait(for: "the end of the first run") { $0.last }.way == "whole")
        #expect(next.status["trust"]?["enrolled"]?.integer == 5)
    }

    /// A gate that keeps its own zones only, with one lane there.
    private func configure(zone: String) throws {
        try site.configure(lane: "zone = \"\(zone)\"", source: "root = \"\(site.path("root.json"))\"", trust: "keep = \"own-zones\"", more: """
            [sync]
            url = "\(SyncOffice.url)"
            socket = "\(site.path("fetch.sock"))"
            """)
    }

    private static func enrolled(_ subject: String, in zone: String) throws -> PublicationRecord {
        .enrolled(EnrolledKey(keyIdentifier: Array(subject.utf8.prefix(4)), key: try SigningKey.generate(.p256).publicKey, use: .sign, subject: subject,
                              audiences: ["tapstile:\(TestSite.name)/\(zone)"]))
    }

    private func zones(_ gate: Controller) -> [String] { gate.status["trust"]?["zones"]?["kept"]?.array?.compactMap(\.string) ?? [] }

    /// Five people of the whole site, and some of two zones (S4).
    @Test func aGateKeepsThePeopleOfItsZones() throws {
        try server.office { try $0.publish([Self.enrolled("bob", in: "hall"), Self.enrolled("eve", in: "lab"), Self.enrolled("kim", in: "lab")], since: [], withWhole: true) }
        try configure(zone: "hall")
        let gate = try gate()
        defer { listening.stop() }
        defer { gate.stop() }
        try synchronise(gate)
        #expect(gate.status["trust"]?["enrolled"]?.integer == 6 && zones(gate) == ["hall"])
        try server.office { try $0.publish([Self.enrolled("zoe", in: "hall"), Self.enrolled("dan", in: "lab")], since: [2]) }
        #expect(try synchronise(gate)["way"]?.string == "changes")
        #expect(gate.status["trust"]?["enrolled"]?.integer == 7)
        #expect(gate.status["trust"]?["zones"]?["code"] == nil)

        // The lane leads elsewhere now: by itself the gate fetches the whole, and says so while it cannot.
        let office = server.office { $0 }
        server.office { office in office.change { $0.serve("timestamp.json", nil) } }
        try configure(zone: "lab")
        _ = try gate.reload()
        let thread = try #require(gate.sync.withLock { $0 })
        #expect(try thread.report.wait(for: "a run that fails") { $0.last?.failure }.code == "tuf-missing-file")
        #expect(gate.status["trust"]?["zones"]?["code"]?.string == "trust-zones-outdated")
        #expect(gate.status["trust"]?["enrolled"]?.integer == 7, "those whom it has go on")
        server.office { $0 = office }
        #expect(try synchronise(gate)["way"]?.string == "whole")
        #expect(gate.status["trust"]?["enrolled"]?.integer == 8 && zones(gate) == ["lab"])
        #expect(gate.status["trust"]?["zones"]?["code"] == nil)
    }

    /// What the site takes back offline does not wait for everybody; but people are as old as they were, and so are the data (S2, S4).
    @Test func whatTheSiteDecidesComesBeforeTheWholeAndMakesNothingFresh() throws {
        let gate = try gate()
        defer { listening.stop() }
        defer { gate.stop() }
        try synchronise(gate)
        let before = try #require(gate.status["trust"]?["age"]?["wall"]?.integer)
        let people = try #require(gate.parts.trust.status.publication?.issuedAt)
        let issuer = TokenIssuer(name: "south", key: try SigningKey.generate(.p256).publicKey)
        try server.office { office in
            for role in ["people", "timestamp"] { office.sign(role, at: Int64(Date().timeIntervalSince1970)) }
            try office.publish([Self.enrolled(SigningKey.generate(.p256), "bob")], since: [], withWhole: true)
            try office.decide([.issuer(issuer)])
            let whole = try #require(office.repository.targets["people/full"])
            office.lies["people/full"] = Array(whole.dropLast()) + [whole[whole.count - 1] ^ 1]
        }
        #expect(try synchronise(gate)["failure"]?["code"]?.string == "tuf-wrong-target-hash")
        #expect(gate.status["trust"]?["issuers"]?.integer == 1 && gate.status["trust"]?["enrolled"]?.integer == 5)
        #expect(try #require(gate.status["trust"]?["age"]?["wall"]?.integer) >= before)
        #expect(gate.parts.trust.status.publication?.issuedAt == people)
        server.office { $0.lies = [:] }
        #expect(try synchronise(gate)["way"]?.string == "whole")
        #expect(gate.status["trust"]?["issuers"]?.integer == 1 && gate.status["trust"]?["enrolled"]?.integer == 6)
        #expect(try #require(gate.status["trust"]?["age"]?["wall"]?.integer) < 60)
    }

    /// A thief of targets, or an office two hours ahead: tokens were refused until then, or for ever.
    @Test(arguments: [7200, 7972 * 366 * 86_400] as [Int64]) func aDateOfTargetsMovesNoClockThatIsVouchedFor(ahead: Int64) throws {
        let gate = try gate()
        defer { listening.stop() }
        defer { gate.stop() }
        try synchronise(gate)
        let now = Int64(Date().timeIntervalSince1970)
        try server.office { office in
            office.sign("targets", at: min(now + ahead, 253_402_300_799))
            try office.release("targets")
        }
        #expect(try synchronise(gate)["failure"]?["code"]?.string == "issued-in-future")
        #expect(gate.status["clock"]?["trust"]?.string == "synchronised" && gate.status["clock"]?["code"] == nil)
        #expect(gate.parts.clock.floorMilliseconds <= gate.parts.clock.now().milliseconds)
        #expect(gate.status["trust"]?["enrolled"]?.integer == 5, "those whom it has go on")
        #expect(try gate.records().contains { $0["reason"]?.string == "issued-in-future" })
        // Signed with the right time.
        try server.office { office in
            office.sign("targets", at: now)
            try office.release("targets")
        }
        #expect(try synchronise(gate)["failure"] == nil)
    }

    /// After a thief of the timestamp's key, whose file counted to the end: the rotation that the documents name is enough (S5).
    @Test func theAgeBeginsAnewWhenRootReplacesTheTimestampsKey() throws {
        let gate = try gate()
        defer { listening.stop() }
        defer { gate.stop() }
        try synchronise(gate)
        let honest = server.office { $0 }, now = Int64(Date().timeIntervalSince1970)
        func issued() throws -> Int64 { gate.parts.age.issued(try #require(gate.parts.trust.status.publication)) }
        try server.office { office in
            office.sign("timestamp", at: now + 300)
            try office.change { repository in
                repository["timestamp"].version = .max
                try repository.publish("timestamp")
            }
        }
        try synchronise(gate)
        #expect(try (now...now + 299).contains(issued()), "a future date counts as now")
        server.office { $0 = honest }
        try server.office { office in
            office.sign("timestamp", at: now - 1800)
            try office.change { repository in
                repository.setKeys(of: "timestamp", [try TUFKey("new timestamp")])
                try repository.releaseRoot()
                try repository.release()
            }
        }
        #expect(try synchronise(gate)["failure"] == nil)
        #expect(try issued() == now - 1800)
    }

    @Test func anIdleGateIsFreshByItsTimestamp() throws {
        let gate = try gate()
        defer { listening.stop() }
        defer { gate.stop() }
        try synchronise(gate)
        let before = try #require(gate.status["trust"]?["age"]?["wall"]?.integer)
        try server.office { office in
            office.sign("timestamp", at: Int64(Date().timeIntervalSince1970))
            try office.release()
        }
        try synchronise(gate)
        let after = try #require(gate.status["trust"]?["age"]?["wall"]?.integer)
        #expect(after < 60 && before > after)
    }
}

/// A gate that does not.
@Suite struct NoSyncTests {
    @Test func itSaysSo() throws {
        let site = try TestSite()
        try site.configure(source: "site-file = \"\(site.path("site.toml"))\"")
        try site.write([], "site.toml")
        let gate = try site.controller()
        defer { gate.stop() }
        #expect(gate.status["sync"]?["state"]?.string == "off")
        #expect(throws: ControlError(code: "gate-stand-alone", message: "")) { try gate.synchronise() }
    }
}
