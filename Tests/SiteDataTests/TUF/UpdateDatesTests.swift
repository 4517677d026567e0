import Encoding
import SignedRepository
import Testing
@testable import SiteData

@Suite("Dates that others sign: a clock that is ahead, and a thief (S5)")
struct UpdateDatesTests {
    var repository: TUFRepository
    var client: TUFClient
    static let now = TUFRepository.now
    static let inAYear = now + 366 * 86_400

    init() throws {
        repository = try TUFRepository()
        for role in ["root", "timestamp", "snapshot", "targets", "people"] { Self.date(role, &repository, Self.now) }
        try repository.publishRoot()
        try repository.publish("people", "targets", "snapshot", "timestamp")
        client = TUFClient(repository.firstRoot)
        client.dates = .notAfter(Self.now + 600)
    }

    private static func date(_ role: String, _ repository: inout TUFRepository, _ seconds: Int64) {
        repository[role].body.set(["x-tapstile-issued"], .string(UTCText.make(seconds: seconds)))
    }

    private mutating func release(_ role: String, at seconds: Int64) throws {
        Self.date(role, &repository, seconds)
        switch role {
        case "root": try repository.releaseRoot()
        case "snapshot", "timestamp": try repository.release()
        default: try repository.release(role)
        }
    }

    @Test("Whoever signs ahead of a clock that is vouched for is refused by name, and nothing of it is kept",
          arguments: ["timestamp", "snapshot", "targets", "people"])
    mutating func ahead(_ role: String) throws {
        #expect(client.run(repository, find: "people/full").found.count == 1)
        let before = client.folder[try RoleName(named: role)]
        try release(role, at: Self.now + 600)
        #expect(client.run(repository, find: "people/full").refusal == nil, "so much two clocks may differ")
        try release(role, at: Self.now + 601)
        let refusal = client.run(repository, find: "people/full").refusal
        #expect(refusal?.code == "issued-in-future" && refusal?.role.description == role)
        #expect(refusal?.reason == .issuedInFuture(issued: Self.now + 601, latest: Self.now + 600))
        #expect(client.folder[try RoleName(named: role)] != before, "the one before it was kept")
        let kept = client.folder[try RoleName(named: role)]
        #expect(client.run(repository, find: "people/full").refusal?.code == "issued-in-future")
        #expect(client.folder[try RoleName(named: role)] == kept)
        // Signed anew with the right time it counts.
        try release(role, at: Self.now)
        #expect(client.run(repository, find: "people/full").found.count == 1)
    }

    @Test("A root that was signed a year ahead is fixed by the next root, which says the right time")
    mutating func rootAhead() throws {
        try release("root", at: Self.inAYear)
        #expect(client.run(repository).refusal?.reason == .issuedInFuture(issued: Self.inAYear, latest: Self.now + 600))
        #expect(client.requests == ["2.root.json", "3.root.json"], "the chain is walked to its end first")
        try release("root", at: Self.now)
        #expect(client.run(repository).report != nil)
        #expect(client.version(.root) == 3)
    }

    @Test("A snapshot that was kept while nobody knew the time is held against it later")
    mutating func keptAhead() throws {
        client.dates = .sureOf(Self.inAYear)
        try release("snapshot", at: Self.inAYear)
        #expect(client.run(repository).report != nil)
        client.dates = .notAfter(Self.now + 600)
        #expect(client.run(repository).refusal?.role == .snapshot)
        try release("snapshot", at: Self.now)
        #expect(client.run(repository).report != nil)
    }

    @Test("A clock for which nobody vouches is held against the newest root, after the chain")
    mutating func clockBeforeRoot() throws {
        client.dates = .sureOf(Self.now)
        try release("root", at: Self.now + 1)
        let refusal = client.run(repository).refusal
        #expect(refusal?.code == "clock-before-root")
        #expect(refusal?.reason == .clockBeforeRoot(clock: Self.now, issued: Self.now + 1))
        try release("root", at: Self.now)
        #expect(client.run(repository).report != nil, "what the roots between say does not count")
        try release("targets", at: Self.inAYear)
        #expect(client.run(repository).report != nil, "nobody here knows better")
    }

    @Test("The specification knows no such dates", arguments: ["root", "timestamp", "targets"])
    mutating func ignored(_ role: String) throws {
        client.dates = .ignored
        try release(role, at: Self.inAYear)
        #expect(client.run(repository).report != nil)
    }
}
