import Invitations
import SeededNumbers
import Testing

/// Who guesses waits, and nobody else.
@Suite struct LimitTests {
    private let carrier = SenderAddress(bytes: [192, 0, 2, 1]), code = [UInt8](repeating: 3, count: 32)

    @Test func whoGuessesWaits() {
        var limits = RequestLimits()
        var answers: [InvitationFault] = []
        for _ in 0..<40 { answers.append(limits.answer(.codeUnknown, from: carrier, codeHash: nil, now: 0)) }
        #expect(answers.prefix(30).allSatisfy { $0 == .codeUnknown })
        #expect(answers.dropFirst(30).allSatisfy { $0 == .tooMany(retryAfter: 0) })
        #expect(limits.answer(.codeUnknown, from: SenderAddress(bytes: [192, 0, 2, 2]), codeHash: nil, now: 0) == .codeUnknown)
        // A minute and a half later the bucket is full again.
        #expect(limits.answer(.codeUnknown, from: carrier, codeHash: nil, now: 90_000) == .codeUnknown)
    }

    /// Ten thousand phones of a carrier have one address; one of them guesses.
    @Test func aSharedAddressLocksNobodyOutWhoHasAGoodCode() throws {
        var limits = RequestLimits()
        for _ in 0..<1000 { _ = limits.answer(.codeUnknown, from: carrier, codeHash: nil, now: 0) }
        for phone in 0..<10_000 { try limits.check(codeHash: [UInt8(phone & 255), UInt8(phone >> 8)], now: 0) }
    }

    /// A hundred people of a carrier open links that were used already: each is told so.
    @Test func whoHasACodeIsNoGuesser() {
        var limits = RequestLimits()
        for visitor in 0..<100 {
            #expect(limits.answer(.codeUsed, from: carrier, codeHash: [UInt8(visitor)], now: 0) == .codeUsed)
        }
        #expect(limits.answer(.codeUnknown, from: carrier, codeHash: code, now: 0) == .codeUnknown)
    }

    @Test func oneCodeIsTriedTenTimesFromWherever() {
        var limits = RequestLimits()
        for sender in 0..<10 {
            #expect(limits.answer(.proofWrong, from: SenderAddress(bytes: [10, 0, 0, UInt8(sender)]), codeHash: code, now: 0) == .proofWrong)
        }
        #expect(throws: InvitationFault.tooMany(retryAfter: 0)) { try limits.check(codeHash: code, now: 0) }
        #expect(throws: InvitationFault.tooMany(retryAfter: 0)) { try limits.check(codeHash: code, now: 5_999) }
        #expect(throws: Never.self) { try limits.check(codeHash: code, now: 6_000) }
        #expect(throws: Never.self) { try limits.check(codeHash: [4], now: 0) }
    }

    @Test func whatSaysNothingOfCodesCostsNothing() {
        var limits = RequestLimits()
        for _ in 0..<100 { #expect(limits.answer(.databaseAway, from: carrier, codeHash: code, now: 0) == .databaseAway) }
        #expect(limits.answer(.codeUnknown, from: carrier, codeHash: nil, now: 0) == .codeUnknown)
    }

    @Test func anAddressOfIPv6IsItsFirstHalf() {
        let one: [UInt8] = [0x20, 1, 0x0D, 0xB8, 0, 0, 0, 1] + [UInt8](repeating: 9, count: 8)
        #expect(SenderAddress(bytes: one) == SenderAddress(bytes: Array(one[..<8]) + [UInt8](repeating: 1, count: 8)))
        #expect(SenderAddress(bytes: one) != SenderAddress(bytes: [0x20, 1, 0x0D, 0xB8, 0, 0, 0, 2] + [UInt8](repeating: 9, count: 8)))
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 1]
        #expect(SenderAddress(bytes: mapped) == carrier)
    }

    /// Whoever comes from ever new addresses neither fills the memory nor washes away what is held against others who are at it.
    @Test func theTableIsBoundedAndKeepsTheWorst() {
        var limit = RateLimit<Int>(pace: .init(burst: 3, interval: 1000), capacity: 100)
        for _ in 0..<10 { limit.note(-1, now: 0) }
        for key in 0..<10_000 { limit.note(key, now: 0) }
        #expect(limit.count <= 100)
        #expect(limit.wait(-1, now: 0) == 1000)
    }

    @Test func nobodyWaitsForLongerThanTheBucketTakes() {
        var numbers = SeededNumbers(seed: 27), limit = RateLimit<Int>(pace: .init(burst: 5, interval: 100), capacity: 8), now: Int64 = 0
        for _ in 0..<10_000 {
            now += Int64(numbers.below(120))
            let key = numbers.below(20)
            if let wait = limit.wait(key, now: now) {
                #expect((1...100).contains(wait))
                #expect(limit.wait(key, now: now + wait) == nil)
            } else {
                limit.note(key, now: now)
            }
            #expect(limit.count <= 8)
        }
    }
}
