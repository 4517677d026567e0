import Credentials
import Cryptography
import Encoding
import Foundation
import Invitations
import SiteData
import Testing

@testable import Authority

/// What a server takes back lies in a file that somebody else may have written.
@Suite("What issuers elsewhere have taken back") struct RevocationQueueTests {
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }
    private static let day: Int64 = 86_400
    private var path: String { fixture.scratch.path("revoked.json") }

    init() throws {
        fixture = try RepositoryFixture()
        try fixture.makeTogether()
        try fixture.scratch.write("visitors.pub", try KeyFile(role: .tokenIssuer, making: .sign).publicFile.text())
        try fixture.scratch.write("rules.toml", Array("[[issuer]]\nname = \"visitors\"\n".utf8))
        _ = try fixture.authority.addIssuer(name: "visitors", keyAt: fixture.scratch.path("visitors.pub"), queue: fixture.scratch.path("revoked.json"), now: now)
        _ = try fixture.authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
    }

    private func write(_ entries: [(String, Int64)], site: String = "north", issuer: String = "visitors") throws {
        let revoked = entries.map { "{\"cti\":\"\($0.0)\",\"until\":\($0.1)}" }.joined(separator: ",")
        try fixture.scratch.write("revoked.json", Array("{\"site\":\"\(site)\",\"issuer\":\"\(issuer)\",\"revoked\":[\(revoked)]}".utf8))
    }

    private func publish(at time: Int64 = now) throws -> PublishedRepository { try authority.publish(now: time) }

    private func revocations() throws -> Set<Revocation> {
        Set(try fixture.people().records.values.compactMap { if case .revocation(let revocation) = $0 { revocation } else { nil } })
    }

    private func fault(_ published: PublishedRepository) -> QueueFault? {
        for case .queue(issuer: "visitors", path: path, let fault) in published.warnings { return fault }
        return nil
    }

    private static func issued(_ cti: [UInt8]) -> Revocation { .issued(issuer: "visitors", cti: cti) }

    @Test func gatesHearOfItWithThePublication() throws {
        try write([("0a", now + 60), ("0b0c", now + 60)])
        #expect(try publish().warnings == [])
        #expect(try revocations() == [Self.issued([0x0A]), Self.issued([0x0B, 0x0C])])
        let version = try publish(at: now + 1).state.version
        #expect(try publish(at: now + 2).state.version == version, "the same once more is nothing new")
    }

    @Test func nothingComesBackByAFileThatIsGone() throws {
        try write([("0a", now + 60)])
        _ = try publish()
        try fixture.scratch.remove("revoked.json")
        let published = try publish(at: now + 1)
        guard case .unreadable? = fault(published) else { Issue.record("\(published.warnings)"); return }
        #expect(published.needsSomebody)
        #expect(try revocations() == [Self.issued([0x0A])])
        try write([])
        #expect(try fault(publish(at: now + 2)) == nil && revocations() == [Self.issued([0x0A])], "nor by one that says it no more")
    }

    /// A token that has ended opens nothing; gates whose clocks are behind have a day.
    @Test func whatHasEndedIsForgotten() throws {
        try write([("0a", now + 60), ("0b", now + 9 * Self.day), ("0c", now - 2 * Self.day)])
        _ = try authority.revoke(Self.issued([0x0D]), now: now)
        try write([("0a", now + 60), ("0b", now + 9 * Self.day), ("0c", now - 2 * Self.day), ("0d", now + 60)])
        _ = try publish()
        #expect(try revocations() == [Self.issued([0x0A]), Self.issued([0x0B]), Self.issued([0x0D])])
        _ = try publish(at: now + 60 + Self.day)
        #expect(try revocations().contains(Self.issued([0x0A])))
        _ = try publish(at: now + 61 + Self.day)
        #expect(try revocations() == [Self.issued([0x0B]), Self.issued([0x0D])], "what a person took back stays")
    }

    @Test func aLaterEndCountsAndAnEarlierOneDoesNot() throws {
        try write([("0a", now + 60)])
        _ = try publish()
        try write([("0a", now + 5 * Self.day)])
        _ = try publish(at: now + 1)
        try write([("0a", now)])
        _ = try publish(at: now + 2)
        _ = try publish(at: now + 2 * Self.day)
        #expect(try revocations() == [Self.issued([0x0A])])
    }

    /// A server that was stolen takes back its own tokens, and nobody else's.
    @Test func itIsBelievedOfItsOwnTokensAlone() throws {
        try write([("0a", now + 60)], issuer: "north-issuer")
        #expect(try fault(publish()) == .foreign)
        try write([("0a", now + 60)], site: "south")
        #expect(try fault(publish(at: now + 1)) == .foreign)
        try fixture.scratch.write("revoked.json", Array("""
            {"site":"north","issuer":"visitors","revoked":[{"cti":"0a","until":\(now + 60),"issuer":"north-issuer","subject":"anna"}],"subjects":["anna"]}
            """.utf8))
        #expect(try fault(publish(at: now + 2)) == nil)
        #expect(try revocations() == [Self.issued([0x0A])])
    }

    @Test(arguments: ["", "{}", "[]", "{\"site\":\"north\",\"issuer\":\"visitors\"}", "{\"site\":\"north\",\"issuer\":\"visitors\",\"revoked\":[{\"cti\":\"0a\"}]}",
                      "{\"site\":\"north\",\"issuer\":\"visitors\",\"revoked\":[{\"cti\":\"\",\"until\":1}]}",
                      "{\"site\":\"north\",\"issuer\":\"visitors\",\"revoked\":[{\"cti\":\"0g\",\"until\":1}]}",
                      "{\"site\":\"north\",\"issuer\":\"visitors\",\"revoked\":[{\"cti\":\"0a\",\"until\":-1}]}"])
    func aBadFileStopsNoPublication(text: String) throws {
        try fixture.scratch.write("revoked.json", Array(text.utf8))
        _ = try authority.revoke(.subject("mallory"), now: now)
        let published = try publish()
        #expect(fault(published) == .malformed && published.needsSomebody)
        #expect(try revocations() == [.subject("mallory")])
    }

    /// The folder is the server's: what lies there may be a pipe that never ends, or far too long.
    @Test func whatIsNoFileHoldsNobodyUp() throws {
        #expect(mkfifo(path, 0o600) == 0)
        guard case .unreadable? = try fault(publish()) else { Issue.record("a pipe was read"); return }
        try fixture.scratch.remove("revoked.json")
        try fixture.scratch.write("revoked.json", [UInt8](repeating: 0x20, count: RevokedQueue.longest + 1))
        guard case .unreadable? = try fault(publish(at: now + 1)) else { Issue.record("it was read"); return }
    }

    /// A flood is bounded, and says so; what was taken before stays.
    @Test func aFloodIsBounded() throws {
        func entries(_ count: Int, from first: Int) -> [(String, Int64)] {
            (first..<first + count).map { number -> (String, Int64) in (String(100_000 + number), now + 60) }
        }
        try write(entries(RevokedQueue.mostEntries + 1, from: 0))
        #expect(try fault(publish()) == .tooMany && revocations().isEmpty)
        try write(entries(RevokedQueue.mostEntries, from: 0))
        #expect(try fault(publish(at: now + 1)) == nil && revocations().count == RevokedQueue.mostEntries)
        try write(entries(1, from: 50_000))
        #expect(try fault(publish(at: now + 2)) == .tooMany && revocations().count == RevokedQueue.mostEntries)
    }

    @Test func aRehearsalKeepsNothing() throws {
        try write([("0a", now + 60)])
        _ = try publish()
        try write([("0a", now + 60), ("0b", now + 60)])
        #expect(try authority.publish(isRehearsal: true, now: now + 1).changes == 1)
        #expect(try !authority.database.has(Self.issued([0x0B])))
    }
}
