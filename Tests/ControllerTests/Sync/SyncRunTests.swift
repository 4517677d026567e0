import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Foundation
import Service
import SignedRepository
import SiteData
import Storage
import Testing
import Threads

@testable import Controller
@testable import Sync

/// One synchronisation, from the root that an installer brought to bundles in use (S4, S5).
@Suite final class SyncRunTests {
    let folder: URL
    let server: SyncServer
    let store = ModelStore()
    let bell: SyncBell
    let fetcher: Fetcher
    /// What was told on the way.
    private let told = Monitor<[SyncNews]>([])
    private let strikes = Monitor(FileStrikes())
    private let root: [UInt8]

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-sync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let office = try SyncOffice([Self.enrolled(1), Self.enrolled(2)])
        root = office.root
        let server = SyncServer(office)
        self.server = server
        bell = try SyncBell()
        // The program may be started anew at once.
        let time = Monitor<Int64>(0)
        fetcher = Fetcher(try FetchSetup(agent: "tapstile/0"), bell: bell, now: { time.withLock { now in now += 50; return now } },
                          connect: { () throws(SystemError) in try server.program.connect() })
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static func enrolled(_ number: UInt8) throws -> PublicationRecord {
        let key = try SigningKey(rawPrivate: SHA256.hash([number]), curve: .p256).publicKey
        return .enrolled(EnrolledKey(keyIdentifier: [number], key: key, use: .sign, subject: "person-\(number)", scope: ["tokn"], audiences: []))
    }

    @discardableResult
    private func run(at now: Int64 = TUFRepository.now, time: RunTime? = nil, root: [UInt8]? = nil, givesWay: @escaping () -> Bool = { false }) throws -> SyncRun.Result {
        let source = RepositorySource(RepositoryAddresses(url: SyncOffice.url, minimumRate: 1024), by: fetcher, givesWay: givesWay)
        let run = SyncRun(site: "demo", memory: try RepositoryMemory(directory: folder.path), staging: StagingFolder(directory: folder.path), source: source,
                          store: store, strikes: strikes, time: time ?? RunTime(startedAt: now, dates: .sureOf(now)), notify: { [told] news in told.withLock { $0.append(news) } })
        return try run.run(from: root ?? self.root)
    }

    private func failure(at now: Int64 = TUFRepository.now, time: RunTime? = nil, root: [UInt8]? = nil, givesWay: @escaping () -> Bool = { false }) throws -> SyncFailure? {
        do {
            try run(at: now, time: time, root: root, givesWay: givesWay)
            return nil
        } catch let failure as SyncFailure {
            return failure
        }
    }

    /// The files of one run.
    private func files(_ body: () throws -> Void) rethrows -> [String] {
        let before = server.asked().count
        try body()
        return Array(server.asked().dropFirst(before))
    }

    private var staged: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("staging").path)) ?? [] }

    // What is fetched ----------------------------------------------------------------------------

    /// People are signed online. A thief of that key says when he likes; the ceiling's longest right counts from no later than the offline part lasts (S5).
    @Test func whenPeopleWereSignedIsBelievedAsFarAsTheOfflinePartLasts() throws {
        try server.office { office in
            office.sign("people", at: 4_000_000_000)
            try office.release("people")
        }
        #expect(try run().applied?.issuedAt == TUFRepository.now - 60 + 86_400)
    }

    @Test func aNewGateFetchesTheWholeAndThenNothing() throws {
        let result = try run()
        #expect(result.way == .whole)
        #expect(store.applied == ["whole"])
        #expect(result.timestamp.issuedAt == TUFRepository.now - 60)
        #expect(staged.isEmpty)
        let idle = try files {
            let way = try run().way
            #expect(way == .nothing)
        }
        #expect(idle == ["metadata/2.root.json", "metadata/timestamp.json"], "two requests where nothing is new")
        #expect(store.applied == ["whole"])
    }

    @Test func changesAreFetchedAsChanges() throws {
        try run()
        let newcomer = try Self.enrolled(3)
        try server.office { try $0.publish([newcomer], since: [1]) }
        let fetched = try files {
            let way = try run().way
            #expect(way == .changes(since: 1, withSite: false))
        }
        #expect(store.applied == ["whole", "changes"])
        #expect(fetched.count == 5, "root, timestamp, snapshot, people, changes")
        #expect(fetched.last?.contains("since-1") == true)
    }

    @Test func aWholeThatIsOlderIsTakenWithTheChangesSince() throws {
        let newcomer = try Self.enrolled(3)
        try server.office { try $0.publish([newcomer], since: [1]) }
        #expect(try run().way == .whole)
        #expect(store.applied == ["whole+changes"])
    }

    @Test func anotherFileOfTheSiteComesAlone() throws {
        try run()
        try server.office { try $0.decide([.ceiling(Ceiling(commands: ["tokn", "hold"], audiences: [], groups: nil, longest: nil, uidOnlyCards: false, userVerification: true))]) }
        #expect(try run().way == .site)
        #expect(store.applied == ["whole", "site"])
    }

    @Test(arguments: [ImportError.wholeNeeded, .bundle(.stateDiffers)])
    func whereChangesCannotBeMadeTheWholeIsTaken(refusal: ImportError) throws {
        try run()
        let newcomer = try Self.enrolled(3)
        try server.office { try $0.publish([newcomer], since: [1], withWhole: true) }
        store.wholeVersion = 2
        store.refusals = [refusal]
        #expect(try run().way == .whole)
        #expect(store.applied == ["whole", "changes", "whole"])
        #expect(told.withLock { $0 }.contains(.wholeNeeded(SyncFailure(refusal))))
    }

    @Test func aRestoredOfficeWithTheSameVersionIsTakenWhole() throws {
        try run()
        store.had = SyncChoice.Had(state: SignedState(epoch: 1, version: 1, digest: [UInt8](repeating: 9, count: 32)), siteHash: store.had?.siteHash ?? [])
        #expect(try run().way == .whole)
    }

    // What takes long ----------------------------------------------------------------------------

    /// Once the whole of a file is asked for, and some of it has come.
    private func inTheMiddle(of name: String) -> () -> Bool {
        let rounds = Monitor(0)
        return { [server] in
            guard server.program.jobs.last?.url.hasSuffix(name) == true else { return false }
            return rounds.withLock { rounds in
                rounds += 1
                return rounds > 3
            }
        }
    }

    /// Fed at 1 kB/s a whole takes a day, in which nobody looked for what had been taken back since.
    @Test func aWholeThatGivesWayGoesOnWhereItWasAfterTheNextLook() throws {
        #expect(try failure(givesWay: inTheMiddle(of: ".full")) == .gaveWay)
        #expect(store.applied.isEmpty && staged.count == 2)
        let newcomer = try Self.enrolled(3)
        try server.office { try $0.publish([newcomer], since: [1]) }
        let before = server.program.jobs.count
        #expect(try run().way == .whole)
        #expect(store.applied == ["whole+changes"], "what has been published since is in use with it")
        #expect(server.program.jobs.dropFirst(before).contains { $0.url.hasSuffix(".full") && $0.offset > 0 })
    }

    /// A megabyte of metadata at 1 kB/s would keep a stick waiting for a quarter of an hour.
    @Test func metadataGiveWayToo() throws {
        #expect(try failure(givesWay: inTheMiddle(of: "timestamp.json")) == .gaveWay)
        #expect(try run().way == .whole)
    }

    @Test func whatTheSiteDecidesIsInUseBeforeTheWhole() throws {
        try run()
        let newcomer = try Self.enrolled(3)
        try server.office { office in
            try office.publish([newcomer], since: [], withWhole: true)
            try office.decide([.ceiling(.standard)])
        }
        store.wholeVersion = 2
        #expect(try failure(givesWay: inTheMiddle(of: ".full")) == .gaveWay)
        #expect(store.applied == ["whole", "site ahead"])
        #expect(told.withLock { $0 }.contains(.siteAhead))
        #expect(try run().way == .whole)
        #expect(store.applied == ["whole", "site ahead", "whole"], "once is enough")
    }

    /// A thief of the key of people can sign any length. Nothing is asked for that finds no room (S4).
    @Test func aTerabyteThatIsSignedIsNotBegun() throws {
        try server.office { office in
            office.change { $0["people"].body.set(["targets", "people/full", "length"], .integer(1 << 50)) }
            try office.release("people")
        }
        let asked = try files {
            let failure = try #require(try failure())
            #expect(failure.kind == .local && failure.code == "no-room")
        }
        #expect(!asked.contains { $0.contains(".full") } && store.applied.isEmpty)
    }

    // What goes wrong ----------------------------------------------------------------------------

    @Test func aDownloadThatBreaksOffGoesOnWhereItWas() throws {
        server.dies(afterBytes: 40)
        #expect(try failure()?.code == "fetcher-died")
        #expect(store.applied.isEmpty)
        #expect(staged.count == 2, "the site's part, and some of the whole")
        let before = server.program.jobs.count
        try run()
        #expect(server.program.jobs.dropFirst(before).contains { $0.offset == 40 })
        #expect(store.applied == ["whole"])
    }

    /// The server has as many other bytes under the name of the right ones. What was right before them stays.
    @Test(arguments: [("people/full", 1), ("site/data", 0)])
    func otherBytesThanWereSignedAreThrownAway(path: String, kept: Int) throws {
        try server.office { office in
            let right = try #require(office.repository.targets[path])
            office.lies[path] = Array(right.dropLast()) + [right[right.count - 1] ^ 1]
        }
        let failure = try #require(try failure())
        #expect(failure.kind == .refused && failure.code == "tuf-wrong-target-hash")
        #expect(store.applied.isEmpty)
        #expect(staged.count == kept)
        server.office { $0.lies = [:] }
        #expect(try run().way == .whole)
    }

    @Test func aFileThatIsNotThereIsNoRefusal() throws {
        server.office { office in office.change { $0.targets["people/full"] = nil } }
        #expect(try failure()?.kind == .unreachable)
        #expect(store.applied.isEmpty)
    }

    @Test func aRefusedBundleLeavesNothingBehind() throws {
        store.refusals = [.bundle(.peopleOverreach(kind: 1))]
        let failure = try #require(try failure())
        #expect(failure.kind == .refused && failure.code == "people-overreach")
        #expect(staged.isEmpty)
    }

    @Test func aWholeThatIsRefusedEachTimeIsNotFetchedEachTime() throws {
        store.refusals = Array(repeating: .bundle(.peopleOverreach(kind: 1)), count: 10)
        for _ in 0..<3 { #expect(try failure()?.code == "people-overreach") }
        let fourth = try files {
            let code = try failure()?.code
            #expect(code == "whole-not-asked-for")
        }
        #expect(!fourth.contains { $0.hasPrefix("targets/") })
        #expect(store.applied.count == 3)
        // Another one may be well.
        store.refusals = []
        let newcomer = try Self.enrolled(3)
        try server.office { try $0.publish([newcomer], since: [1], withWhole: true) }
        store.wholeVersion = 2
        #expect(try run().way == .whole)
    }

    /// Three spoilt downloads once locked out the good file for six hours, and the error of the third was told as that of each run.
    @Test(arguments: ["people/full", "site/data"]) func spoiltDownloadsDoNotLockOutTheGoodFile(path: String) throws {
        try server.office { office in
            let right = try #require(office.repository.targets[path])
            office.lies[path] = Array(right.dropLast()) + [right[right.count - 1] ^ 1]
        }
        for _ in 0..<FileStrikes.most + 1 {
            let asked = try files {
                let code = try failure()?.code
                #expect(code == "tuf-wrong-target-hash")
            }
            #expect(asked.contains { $0.hasPrefix("targets/") }, "it may be good now")
        }
        server.office { $0.lies = [:] }
        #expect(try run().way == .whole)
    }

    /// `scope-exceeded` is fixed by a higher ceiling: the whole stays as it was.
    @Test func aRefusedWholeIsTriedAgainWithAnotherFileOfTheSite() throws {
        store.refusals = Array(repeating: .bundle(.peopleOverreach(kind: 1)), count: FileStrikes.most)
        for _ in 0..<FileStrikes.most { #expect(try failure()?.code == "people-overreach") }
        #expect(try failure()?.code == "whole-not-asked-for")
        try server.office { try $0.decide([.ceiling(Ceiling(commands: ["tokn", "hold"], audiences: [], groups: nil, longest: nil, uidOnlyCards: false, userVerification: true))]) }
        #expect(try run().way == .whole)
    }

    @Test func aRefusedWholeIsTriedAgainWithTheNextChanges() throws {
        let (bob, eve) = (try Self.enrolled(3), try Self.enrolled(4))
        try server.office { try $0.publish([bob], since: [1]) }
        store.refusals = Array(repeating: .bundle(.stateDiffers), count: FileStrikes.most)
        for _ in 0..<FileStrikes.most { #expect(try failure()?.code == "state-differs") }
        #expect(try failure()?.code == "whole-not-asked-for")
        try server.office { try $0.publish([eve], since: [1]) }
        #expect(try run().way == .whole)
        #expect(store.applied.last == "whole+changes")
    }

    @Test func aFullDiskKeepsWhatWasFetched() throws {
        store.refusals = [.storage(StorageError(.diskFull, "full"))]
        #expect(try failure()?.kind == .local)
        #expect(staged.count == 2)
        let again = try files { try run() }
        #expect(!again.contains { $0.hasPrefix("targets/") })
    }

    @Test func anOlderRepositoryIsRefusedAlsoWhereTheMetadataWereLost() throws {
        let newcomer = try Self.enrolled(3)
        let old = server.office { $0 }
        try server.office { try $0.publish([newcomer], since: [1], withWhole: true) }
        store.wholeVersion = 2
        try run()
        try FileManager.default.removeItem(at: folder.appendingPathComponent("tuf"))
        server.office { $0 = old }
        let failure = try #require(try failure())
        #expect(failure.kind == .refused && failure.code == "tuf-rollback")
        #expect(store.applied == ["whole"])
    }

    @Test func anotherRootByHandBeginsAnew() throws {
        try run()
        let other = try SyncOffice([Self.enrolled(9)], issued: TUFRepository.now - 50)
        server.office { $0 = other }
        store.had = nil
        #expect(try run(root: other.root).way == .whole)
    }

    @Test func aDamagedRootIsReplacedByWalkingTheChainOnceMore() throws {
        try run()
        try Data("rubbish".utf8).write(to: folder.appendingPathComponent("tuf/root.json"))
        #expect(try run().way == .nothing)
    }

    @Test func aClockBeforeTheRootIsNamed() throws {
        try server.office { office in
            office.sign("root", at: TUFRepository.now - 10)
            try office.change { try $0.releaseRoot() }
        }
        #expect(try failure(at: TUFRepository.now - 11)?.code == "clock-before-root")
        #expect(try failure(at: TUFRepository.now - 10) == nil)
    }

    // Dates that others sign ---------------------------------------------------------------------

    /// One `publish --together` by a clock a year ahead: the next root was never asked for, and nothing signed fixed it.
    @Test func aRootThatWasSignedAYearAheadIsFixedByTheNextOne() throws {
        let now = TUFRepository.now, time = RunTime(startedAt: now, dates: .notAfter(now + 600))
        try run(time: time)
        try server.office { office in
            office.sign("root", at: now + 366 * 86_400)
            try office.change { try $0.releaseRoot() }
        }
        let failure = try #require(try failure(time: time))
        #expect(failure.kind == .refused && failure.code == "issued-in-future")
        try server.office { office in
            office.sign("root", at: now)
            try office.change { try $0.releaseRoot() }
        }
        #expect(try run(time: time).way == .nothing)
    }

    /// A gate that was led astray hears by it that its clock is wrong; the timestamp itself waits.
    @Test func aTimestampAheadIsToldBeforeItIsRefused() throws {
        let now = TUFRepository.now, time = RunTime(startedAt: now, dates: .notAfter(now + 600))
        try server.office { office in
            office.sign("timestamp", at: now + 3600)
            try office.release()
        }
        #expect(try failure(time: time)?.code == "issued-in-future")
        #expect(told.withLock { $0 } == [.timestampAhead(now + 3600)])
        // Of people the same says nothing.
        try server.office { office in
            office.sign("timestamp", at: now)
            office.sign("people", at: now + 3600)
            try office.release("people")
        }
        #expect(try failure(time: time)?.code == "issued-in-future")
        #expect(told.withLock { $0 }.filter { $0 == .timestampAhead(now + 3600) }.count == 1)
        #expect(store.applied.isEmpty)
    }

    @Test func whatIsSignedOfflineComesWithItsVersionAndRoot() throws {
        let now = TUFRepository.now
        try run()
        let dates = SignedDates(root: now - 60, rootVersion: 1, targets: now - 60, targetsVersion: 2, timestamp: now - 60)
        #expect(told.withLock { $0 }.contains(.verified(dates)))
        #expect(dates.floor == SignedFloor(.targets, version: 2, root: 1, date: (now - 60) * 1000) && dates.rootDate == (now - 60) * 1000)
    }

    /// Whoever stole the timestamp's key signs it each hour, and cannot sign what says that there is nothing newer.
    @Test func whatIsSignedLessOftenSaysWhenMoreWasDue() throws {
        let now = TUFRepository.now
        #expect(try run().renewal == now - 60 + 43_200)
        try server.office { office in
            office.sign("snapshot", at: now)
            try office.release()
        }
        #expect(try run().renewal == now - 60 + 43_200, "people are as old as they were")
        try server.office { office in
            office.sign("people", at: now)
            try office.release("people")
        }
        #expect(try run().renewal == now + (86_400 - 60) / 2)
    }

    @Test func whatSaysNotWhenItWasSignedIsRefused() throws {
        try server.office { office in
            try office.change { repository in
                repository["timestamp"].body.set(["x-tapstile-issued"], nil)
                try repository.release()
            }
        }
        #expect(try failure()?.code == "tuf-malformed-metadata")
        #expect(store.applied.isEmpty)
    }

    @Test func lostVersionsAreSaidAndTheMetadataMustDo() throws {
        try run()
        try Data(count: 1024).write(to: folder.appendingPathComponent("trust.versions"))
        #expect(try run().way == .nothing)
        #expect(told.withLock { $0 }.contains(.versionsLost))
    }
}
