import Credentials
import SiteData
import SiteRules
import Testing

@testable import Authority

/// What lies beyond the bounds of gates: one key or rule too long makes them refuse everything that comes with it, revocations too.
@Suite struct BoundsTests {
    let scratch: ScratchFolder
    let authority: Authority
    private var fixture: RepositoryFixture { RepositoryFixture(authority, in: scratch) }

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
    }

    private static func places(_ count: Int) -> [String] { (0..<count).map { "tapstile:north/zone \($0)" } }

    @Test func aKeyWithMorePlacesThanARecordTakesIsRefusedWhenItIsEnrolled() throws {
        func enrol(_ count: Int) throws {
            _ = try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: "anna", rights: Rights(audiences: Self.places(count))), now: now)
        }
        try enrol(500)
        #expect(throws: AuthorityError.rightsTooLong) { try enrol(3000) }
        #expect(throws: AuthorityError.rightsTooLong) {
            try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "anna", rights: Rights(audiences: Self.places(3000)), now: now)
        }
        #expect(try fixture.published().count { if case .enrolled = $0 { true } else { false } } == 1)
    }

    @Test func aTokenForMorePlacesThanGatesReadIsNotIssued() throws {
        func issue(_ count: Int, _ commands: [String] = ["tokn"]) throws {
            let rights = Rights(audiences: Self.places(count), scope: commands, expiresAt: now + 60)
            _ = try authority.issue(TokenRequest(key: phoneKey(), use: .sign, subject: "anna", rights: rights), now: now)
        }
        try issue(16)
        #expect(throws: AuthorityError.self) { try issue(17) }
        try issue(1, (0..<32).map { "c\($0)" })
        #expect(throws: AuthorityError.self) { try issue(1, (0..<33).map { "c\($0)" }) }
    }

    /// The file of rules says so before; an older version may have kept it.
    @Test func aRuleThatNoGateReadsIsNotPublished() throws {
        let lanes = (0..<2000).map { "lane \($0) \(String(repeating: "x", count: 30))" }
        try authority.database.replaceRules(with: [.access(AccessRule(group: "staff", lanes: lanes))])
        #expect { try fixture.published() } throws: {
            ($0 as? AuthorityError)?.code == "publication-record-too-long"
        }
        let rules = (0..<40).map { SiteRecord.access(AccessRule(group: "staff \($0)", lanes: lanes.dropLast(1000))) }
        try authority.database.replaceRules(with: rules)
        #expect { try fixture.published() } throws: {
            ($0 as? AuthorityError)?.code == "publication-rules-too-long"
        }
    }
}
