import Encoding
import SiteData

/// The time by which an office signs, and who answers for it: gates whose own clocks are right refuse what is dated ahead of them.
public struct OfficeClock: Hashable, Sendable {
    /// Who answers for the machine's clock.
    public enum Voucher: Hashable, Sendable {
        /// The kernel: something keeps the clock synchronised.
        case kernel
        /// Whoever set this machine up: something keeps the clock right that the kernel does not know of.
        case installer
        case nobody
    }

    /// The variable of the environment by which whoever set the machine up answers for its clock, as `clock.source` does at a gate.
    public static let variable = "TAPSTILE_CLOCK_SOURCE"
    /// Seconds by which two clocks may differ that are both right enough: what gates bear, too.
    public static let tolerance = SitePublication.longestIssuedAhead
    /// So many seconds after the last date a person has to look: what people and snapshot have signed is over by then.
    static let longestPause: Int64 = 30 * 86_400

    /// UNIX seconds.
    public let now: Int64
    let voucher: Voucher
    /// Somebody has compared this time with a watch just now.
    let isChecked: Bool

    public init(now: Int64, voucher: Voucher, isChecked: Bool = false) {
        self.now = now
        self.voucher = voucher
        self.isChecked = isChecked
    }

    /// Refuses a clock for which nobody answers.
    public func check() throws(AuthorityError) {
        guard isChecked || voucher != .nobody else { throw .repository(.clockNotVouchedFor(now: now)) }
    }

    /// Refuses one that stands far from the last date that somebody signed, before it or after it: one of the two was wrong.
    /// - Parameter last: UNIX seconds; nil: nothing was signed yet.
    public func check(against last: Int64?) throws(AuthorityError) {
        guard !isChecked, let last else { return }
        guard now >= last - Self.tolerance else { throw .repository(.clockBehind(now: now, issued: last)) }
        guard now <= last + Self.longestPause else { throw .repository(.clockFarAhead(now: now, issued: last)) }
    }

    /// What is wrong with it for whoever signs a draft of this date elsewhere; nil: nothing.
    public func objection(toDraftOf date: Int64) -> AuthorityError? {
        do throws(AuthorityError) {
            try check()
            try check(against: date)
            return nil
        } catch {
            return error
        }
    }
}

extension Authority {
    /// The latest date that anybody signed in the site's repository, UNIX seconds; nil: there is none yet.
    public func lastDate() throws(AuthorityError) -> Int64? {
        guard try database.repository() != nil else { return nil }
        var last: Int64?
        for role in RepositoryRole.allCases {
            if let issued = try signed(role)?.issued { last = max(last ?? issued, issued) }
        }
        return last
    }

    /// Whether what a role has signed says a time that has not come yet: its clock was ahead, and gates whose clocks are right refuse it.
    func isAhead(_ signed: JSONObject, now: Int64) -> Bool { signed.issued > now + OfficeClock.tolerance }
}
