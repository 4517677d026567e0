import Encoding
import SiteData
import Testing

@testable import Authority

/// A signer's clock that is wrong shuts out gates whose own clocks are right: an office looks at its own first (S5).
@Suite struct OfficeClockTests {
    static let day: Int64 = 86_400

    private static func code(_ body: () throws(AuthorityError) -> Void) -> String? {
        do throws(AuthorityError) {
            try body()
            return nil
        } catch {
            #expect(error.message.hasSuffix("."))
            return error.code
        }
    }

    @Test func aClockThatNobodyVouchesForSignsOnlyWhenSomebodySaysSo() {
        func check(_ voucher: OfficeClock.Voucher, isChecked: Bool = false) -> String? {
            Self.code { () throws(AuthorityError) in try OfficeClock(now: now, voucher: voucher, isChecked: isChecked).check() }
        }
        #expect(check(.kernel) == nil && check(.installer) == nil && check(.nobody, isChecked: true) == nil)
        #expect(check(.nobody) == "clock-not-vouched-for")
    }

    @Test(arguments: [(-601, "clock-behind"), (-600, nil), (0, nil), (30 * day, nil), (30 * day + 1, "clock-far-ahead")] as [(Int64, String?)])
    func oneThatStandsFarFromTheLastDateSignsNothingInEitherDirection(seconds: Int64, expected: String?) {
        func check(_ isChecked: Bool, against last: Int64?) -> String? {
            Self.code { () throws(AuthorityError) in try OfficeClock(now: now + seconds, voucher: .kernel, isChecked: isChecked).check(against: last) }
        }
        #expect(check(false, against: now) == expected)
        #expect(check(true, against: now) == nil && check(false, against: nil) == nil)
    }

    @Test func theLastDateIsTheLatestOfAllRoles() throws {
        let fixture = try RepositoryFixture()
        #expect(try fixture.authority.lastDate() == nil)
        try fixture.makeTogether()
        #expect(try fixture.authority.lastDate() == now)
        _ = try fixture.authority.publish(now: now + 60)
        #expect(try fixture.authority.lastDate() == now + 60)
    }

    /// `publish --together` by a clock a year ahead, and once more by the right one: gates take the second.
    @Test func whatWasSignedAheadIsSignedAnewByTheRightClock() throws {
        let fixture = try RepositoryFixture(), right = now - 366 * Self.day
        try fixture.makeTogether()
        #expect(Self.code { () throws(AuthorityError) in _ = try RepositoryCheck.run(fixture.path, at: right) } == "issued-in-future")
        let published = try fixture.authority.publish(now: right)
        #expect(published.changed.contains(.timestamp) && published.versions[.root] == 2 && published.versions[.targets] == 2)
        #expect(try fixture.check(at: right).versions == [.root: 2, .targets: 2, .people: 2, .snapshot: 2, .timestamp: 2])
    }

    @Test func whatKeysOfflineHaveSignedAheadIsNamed() throws {
        let fixture = try RepositoryFixture(), (root, targets) = try fixture.makeWithCeremony(), right = now - 2 * 3600
        try fixture.sign(.root, [root[0], root[1]])
        try fixture.sign(.targets, [targets])
        #expect(Self.code { () throws(AuthorityError) in _ = try fixture.authority.publish(now: right) } == "issued-in-future", "gates whose clocks are right refuse it")
        #expect(PublishedRepository.Warning.ahead(.root, issued: 0).code == "role-ahead")
    }

    @Test func aTimestampAheadIsReplacedOnlyWhereSomebodyHasComparedTheClock() throws {
        let fixture = try RepositoryFixture(), right = now - 3600
        try fixture.makeTogether()
        #expect(Self.code { () throws(AuthorityError) in _ = try fixture.authority.refreshTimestamp(now: right) } == "clock-behind")
        #expect(Self.code { () throws(AuthorityError) in _ = try fixture.authority.refreshTimestamp(now: right, isClockChecked: true) } == "issued-in-future", "root is ahead, too")
        #expect(Self.code { () throws(AuthorityError) in _ = try fixture.authority.refreshTimestamp(now: right + 31 * Self.day) } == "clock-far-ahead")
    }
}
