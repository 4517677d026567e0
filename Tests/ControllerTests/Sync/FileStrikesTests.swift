import SiteData
import Testing

@testable import Controller
@testable import Sync

/// What is refused each time though it is what was signed is not fetched each time (S4).
@Suite struct FileStrikesTests {
    static let failure = SyncFailure(.refused, code: "people-overreach", message: "")
    static let state = SignedState(epoch: 1, version: 7, digest: [7]), later = SignedState(epoch: 1, version: 8, digest: [8])

    private static func files(_ whole: UInt8 = 1, site: UInt8 = 2, state: SignedState? = nil) -> FileStrikes.Files {
        FileStrikes.Files(whole: [whole], site: [site], state: state)
    }

    private static func code(_ strikes: FileStrikes, _ whole: UInt8 = 1, site: UInt8 = 2, state: SignedState = state, at now: Int64 = 20) -> String? {
        strikes.refusal(of: [whole], site: [site], state: state, at: now)?.code
    }

    /// Struck three times, at 0, 10 and 20.
    private static func struck(_ files: FileStrikes.Files) -> FileStrikes {
        var strikes = FileStrikes()
        for time: Int64 in [0, 10, 20] {
            #expect(strikes.refusal(of: files.whole, site: files.site, state: state, at: time) == nil)
            strikes.struck(files, failure, at: time)
        }
        return strikes
    }

    @Test func afterTheThirdTimeTheyAreLeftAloneForSixHours() throws {
        var strikes = Self.struck(Self.files())
        #expect(Self.code(strikes) == "whole-not-asked-for")
        #expect(Self.code(strikes, at: 20 + FileStrikes.pause - 1) == "whole-not-asked-for")
        #expect(Self.code(strikes, at: 20 + FileStrikes.pause) == nil)
        // Once more in vain, and for as long again.
        strikes.struck(Self.files(), Self.failure, at: 20 + FileStrikes.pause)
        #expect(Self.code(strikes, at: 21 + FileStrikes.pause) == "whole-not-asked-for")
    }

    /// Once the old refusal was told as if it were a new one.
    @Test func whatIsNotAskedForIsCalledSo() throws {
        let told = try #require(Self.struck(Self.files()).refusal(of: [1], site: [2], state: Self.state, at: 20))
        #expect(told.kind == .postponed)
        for word in ["3 times", "people-overreach", "360 minutes", "tapstile sync"] { #expect(told.message.contains(word), Comment(rawValue: word)) }
    }

    @Test func anotherFileIsAnotherMatter() {
        var strikes = Self.struck(Self.files())
        #expect(Self.code(strikes, 3) == nil)
        #expect(Self.code(strikes, site: 3) == nil, "a ceiling that was too low may have been raised")
        #expect(Self.code(strikes, state: Self.later) == "whole-not-asked-for", "no changes had a part in it")
        strikes.struck(Self.files(3), Self.failure, at: 21)
        #expect(Self.code(strikes) == nil)
    }

    @Test func whereChangesHadAPartTheNextOnesAreTried() {
        let strikes = Self.struck(Self.files(state: Self.state))
        #expect(Self.code(strikes) == "whole-not-asked-for")
        #expect(Self.code(strikes, state: Self.later) == nil)
    }
}
