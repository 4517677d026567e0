import Testing

@testable import Controller

/// A file that is refused each time is not fetched each time (S4).
@Suite struct FileStrikesTests {
    static let failure = SyncFailure(.refused, code: "people-overreach", message: "")
    static let file: [UInt8] = [1], other: [UInt8] = [2]

    @Test func afterTheThirdTimeItIsLeftAloneForSixHours() {
        var strikes = FileStrikes()
        for time: Int64 in [0, 10, 20] {
            #expect(strikes.refusal(of: Self.file, at: time) == nil)
            strikes.struck(Self.file, Self.failure, at: time)
        }
        #expect(strikes.refusal(of: Self.file, at: 20) == Self.failure)
        #expect(strikes.refusal(of: Self.file, at: 20 + FileStrikes.pause - 1) == Self.failure)
        #expect(strikes.refusal(of: Self.file, at: 20 + FileStrikes.pause) == nil)
        // Once more in vain, and for as long again.
        strikes.struck(Self.file, Self.failure, at: 20 + FileStrikes.pause)
        #expect(strikes.refusal(of: Self.file, at: 21 + FileStrikes.pause) == Self.failure)
    }

    @Test func anotherFileIsAnotherMatter() {
        var strikes = FileStrikes()
        for _ in 0..<3 { strikes.struck(Self.file, Self.failure, at: 0) }
        #expect(strikes.refusal(of: Self.other, at: 0) == nil)
        strikes.struck(Self.other, Self.failure, at: 1)
        #expect(strikes.refusal(of: Self.file, at: 1) == nil)
    }
}
