import Credentials
import Cryptography
import Encoding
import Evidence
import SiteData
import Testing

@testable import Authority

/// A gate whose disk was put back is noticed by the office.
@Suite("Watching gates") struct GateWatchTests {
    let scratch: ScratchFolder
    let authority: Authority
    let audit: SigningKey

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
        audit = try SigningKey.generate()
    }

    private func status(_ gate: String = "entrance", site: String = "north", epoch: Int64? = 1, version: Int64? = 5, generation: Int64 = 3,
                        records: Int64 = 7, head: UInt8 = 1, digest: [UInt8]? = nil, isForked: Bool = false) throws -> [GateFinding] {
        var trust: JSONObject = ["state": "absent"]
        if let version { trust = ["version": .integer(version), "generation": .integer(generation), "issued": "2025-01-30T08:00:00.000Z"] }
        if let epoch { trust["epoch"] = .integer(epoch) }
        trust["digest"] = digest.map { .string(Hex.encode($0)) }
        if isForked { trust["fork"] = ["code": "trust-data-forked"] }
        let json: JSON = ["site": .string(site), "gate": .string(gate), "trust": .object(trust), "lanes": [],
                          "journal": ["sequence": .integer(records), "head": .string(Hex.encode([head]))]]
        try scratch.write("status", Array(json.text.utf8))
        let watched = try authority.watch(statusAt: scratch.path("status"), longestSeconds: 7 * 86_400, now: now)
        #expect(watched.gate == gate)
        return watched.findings
    }

    private func checkpoint(_ sequence: UInt64, _ hash: UInt8 = 1, unproven: UInt64 = 4, site: String = "north", by key: SigningKey? = nil)
        throws -> [GateFinding] {
        let checkpoint = Checkpoint(
            site: site, gate: "entrance", milliseconds: now * 1000, clock: .synchronised,
            main: ChainExtent(first: 1, sequence: sequence, hash: [UInt8](repeating: hash, count: 32)),
            unproven: ChainExtent(first: 1, sequence: unproven, hash: [UInt8](repeating: 9, count: 32)))
        try scratch.write("checkpoint", SignedCheckpoint.sign(checkpoint, key: key ?? audit).raw)
        return try authority.watch(checkpointAt: scratch.path("checkpoint"), keys: [audit.publicKey], now: now).findings
    }

    /// So many versions of people.
    private func publish(_ versions: Int) throws {
        let fixture = RepositoryFixture(authority, in: scratch)
        for number in 1...versions {
            if number > 1 { try fixture.enrol("person \(number)") }
            _ = try fixture.published()
        }
    }

    /// It has what a second office made, on a copy of this folder.
    @Test func aGateWithAnotherOfficesSiteDataIsNoticed() throws {
        try publish(2)
        let ours = try #require(SignedState(json: authority.signed(.people)?[SignedState.member])).digest
        #expect(try status(version: 2, digest: ours) == [])
        #expect(try status("exit", version: 2, digest: ours.map { $0 ^ 1 }) == [.dataForked(version: 2)])
        #expect(try status("exit", version: 3, digest: ours) == [.dataForked(version: 3), .officeBehind(found: 3, known: 2)], "this office has made no third one")
        #expect(try status("exit", version: 2, digest: ours, isForked: true) == [.dataForked(version: 2)], "the gate itself says so")
        #expect(try status("old", version: 2) == [], "an older gate says nothing of it")
    }

    /// It went forward, was a version behind, and took nothing any more: the office heard nothing of that.
    @Test func whatAGateHasStandsBesideWhatTheOfficeGaveOut() throws {
        try publish(4)
        let json: JSON = ["site": "north", "gate": "entrance", "trust": ["epoch": 1, "version": 3, "generation": 1, "issued": "2025-01-30T08:00:00.000Z"],
                          "lanes": [], "sync": ["warning": ["code": "sync-ended", "message": "Over."]], "journal": ["sequence": 1, "head": "01"]]
        try scratch.write("status", Array(json.text.utf8))
        let watched = try authority.watch(statusAt: scratch.path("status"), longestSeconds: 7 * 86_400, now: now)
        #expect(watched.version == 3 && watched.newest == 4 && watched.issued == now - 86_400)
        #expect(watched.findings == [.syncEnded])
    }

    @Test func aGateWithAFileOfItsOwnHasNoVersionOfOurs() throws {
        try publish(1)
        #expect(try newest(epoch: nil) == 0 && newest(epoch: 1) == 1)
    }

    private func newest(epoch: Int64?) throws -> Int64 {
        var trust: JSONObject = ["version": 1, "generation": 1, "issued": "2025-01-30T08:00:00.000Z"]
        if let epoch { trust["epoch"] = .integer(epoch) }
        let json: JSON = ["site": "north", "gate": .string("gate \(epoch ?? 0)"), "trust": .object(trust), "lanes": [], "journal": ["sequence": 1, "head": "01"]]
        try scratch.write("status", Array(json.text.utf8))
        return try authority.watch(statusAt: scratch.path("status"), longestSeconds: 7 * 86_400, now: now).newest
    }

    @Test func forwardIsRight() throws {
        #expect(try status() == [] && status() == [])
        #expect(try status(version: 6, generation: 4) == [])
        #expect(try status(epoch: 2, version: 1, generation: 5) == [], "another epoch counts anew")
        #expect(try status("exit", version: 1, generation: 1) == [], "another gate")
        #expect(try checkpoint(10) == [] && checkpoint(10) == [] && checkpoint(12, 2) == [])
    }

    @Test func backIsNoticed() throws {
        #expect(try status(epoch: 2, version: 5, generation: 9) == [])
        #expect(try status(epoch: 2, version: 4, generation: 9) == [.dataWentBack(what: "version", found: 4, known: 5)])
        #expect(try status(epoch: 1, version: 9, generation: 9) == [.dataWentBack(what: "epoch", found: 1, known: 2)])
        #expect(try status(epoch: nil, version: 9, generation: 9) == [.dataWentBack(what: "epoch", found: 0, known: 2)])
        #expect(try status(epoch: 2, version: 5, generation: 8) == [.dataWentBack(what: "generation", found: 8, known: 9)])
        #expect(try status(epoch: 2, version: 5, generation: 9) == [], "what was noticed changed nothing of what is known")
    }

    /// Whoever looks must not forget what the gate had because it has nothing just now.
    @Test func aGateThatLostItsDataIsHeldAgainstThemStill() throws {
        #expect(try status(version: 5) == [])
        #expect(try status(version: nil, records: 8) == [.withoutData])
        #expect(try status(version: 4, records: 9) == [.dataWentBack(what: "version", found: 4, known: 5)])
    }

    @Test func theEndOfTheJournalInAStatusCounts() throws {
        #expect(try status(records: 9) == [])
        #expect(try status(version: 6, records: 8) == [.journalWentBack(found: 8, known: 9)])
        #expect(try status(version: 6, records: 9, head: 2) == [.journalForked(sequence: 9)])
        #expect(try status(version: 4, records: 3)
            == [.dataWentBack(what: "version", found: 4, known: 5), .journalWentBack(found: 3, known: 9)])
        #expect(try status(version: 5, records: 10) == [], "what was noticed changed nothing of what is known")
    }

    @Test func aNewDiskBeginsAnew() throws {
        #expect(try status(records: 9) == [] && checkpoint(9) == [])
        try authority.forgetWhatIsKnown(ofGate: "entrance")
        #expect(try status(version: 1, generation: 1, records: 1) == [] && checkpoint(1) == [])
    }

    @Test func aJournalThatIsShorterOrAnotherIsNoticed() throws {
        #expect(try checkpoint(10) == [])
        #expect(try checkpoint(9) == [.journalWentBack(found: 9, known: 10)])
        #expect(try checkpoint(10, 2) == [.journalForked(sequence: 10)])
        #expect(try checkpoint(11, unproven: 3) == [.journalWentBack(found: 3, known: 4)])
        #expect(try checkpoint(11) == [])
    }

    /// Anybody can write a file with a great number in it.
    @Test func whatNobodySignedIsNotKept() throws {
        #expect(try checkpoint(1_000_000, by: SigningKey.generate()) == [.unsigned])
        #expect(try checkpoint(10) == [])
    }

    @Test func oldAndForeignDataAreNamed() throws {
        #expect(try status(site: "south") == [.otherSite("south")])
        #expect(try checkpoint(1, site: "south") == [.otherSite("south")])
        let later = try authority.watch(statusAt: scratch.path("status"), longestSeconds: 86_400, now: now)
        #expect(later.findings == [.otherSite("south")])
        _ = try status()
        #expect(try authority.watch(statusAt: scratch.path("status"), longestSeconds: 3600, now: now).findings == [.behind(issued: now - 86_400)])
        #expect(try status("new", version: nil) == [.withoutData])
        for finding in [GateFinding.withoutData, .behind(issued: 1), .unsigned, .otherSite("a"), .journalForked(sequence: 1), .dataForked(version: 1)] {
            #expect(finding.message.hasSuffix(".") && finding.code.hasPrefix("gate-"))
        }
    }

    @Test func otherFilesAreRefused() throws {
        for text in ["{}", "[", #"{"site":"north","gate":"a","trust":{}}"#,
                     #"{"site":"north","gate":"a","trust":{"version":1},"journal":{"sequence":1,"head":"00"}}"#,
                     #"{"site":"north","gate":"","trust":{},"journal":{"sequence":1,"head":"00"}}"#] {
            try scratch.write("status", Array(text.utf8))
            #expect(throws: AuthorityError.notAStatus(path: scratch.path("status"))) {
                try authority.watch(statusAt: scratch.path("status"), longestSeconds: 1, now: now)
            }
        }
        #expect(throws: AuthorityError.self) { try authority.watch(checkpointAt: scratch.path("status"), keys: [], now: now) }
    }
}
