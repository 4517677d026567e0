import SeededNumbers
import Testing

@testable import Gate

@Suite struct DebouncerTests {
    typealias Settled = Debouncer<Bool>.Settled

    static func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

    static func settled(_ value: Bool, _ time: Int64, isFound: Bool = false) -> Settled {
        Settled(value: value, at: at(time), isFound: isFound)
    }

    /// Settled, inactive, since time 0.
    static var atRest: Debouncer<Bool> {
        var debouncer = Debouncer<Bool>()
        _ = debouncer.receive(false, at: at(0), quiet: 0, since: .found)
        _ = debouncer.advance(to: at(0))
        return debouncer
    }

    @Test func aContactCountsOnceItWasQuietForItsTime() {
        var debouncer = Self.atRest
        #expect(debouncer.receive(true, at: Self.at(100), quiet: 20) == nil)
        #expect(debouncer.nextChange == Self.at(120))
        #expect(debouncer.advance(to: Self.at(119)) == nil)
        #expect(debouncer.advance(to: Self.at(120)) == Self.settled(true, 120))
        #expect(debouncer.nextChange == nil)
        #expect(debouncer.advance(to: Self.at(500)) == nil, "it is told once")
    }

    @Test func whatBouncesBackNeverCounts() {
        var debouncer = Self.atRest
        for time in stride(from: Int64(100), to: 1000, by: 10) {
            #expect(debouncer.receive((time / 10) % 2 == 0, at: Self.at(time), quiet: 20) == nil)
        }
        _ = debouncer.receive(false, at: Self.at(1000), quiet: 20)
        #expect(debouncer.nextChange == nil)
        #expect(debouncer.advance(to: Self.at(9000)) == nil)
    }

    @Test func whoComesSecondsLateLearnsOfAPassageOfThirtyMilliseconds() {
        var debouncer = Self.atRest
        // The edges come out of the kernel's queue all at once; their times are their own.
        #expect(debouncer.receive(true, at: Self.at(100), quiet: 20) == nil)
        #expect(debouncer.receive(false, at: Self.at(130), quiet: 20) == Self.settled(true, 120))
        #expect(debouncer.advance(to: Self.at(9000)) == Self.settled(false, 150))
    }

    @Test func whatIsFoundSaysSo() {
        var debouncer = Debouncer<Bool>()
        #expect(debouncer.settled == nil)
        _ = debouncer.receive(true, at: Self.at(5), quiet: 20, since: .found)
        #expect(debouncer.advance(to: Self.at(25)) == Self.settled(true, 25, isFound: true))
    }

    @Test func timeBeforeAGapDoesNotCount() {
        var debouncer = Self.atRest
        _ = debouncer.receive(true, at: Self.at(100), quiet: 20)
        // A thousand edges later, the level that is there now may have been there for a microsecond only.
        #expect(debouncer.receive(true, at: Self.at(500), quiet: 20, since: .gap) == nil)
        #expect(debouncer.advance(to: Self.at(519)) == nil)
        #expect(debouncer.advance(to: Self.at(520)) == Self.settled(true, 520))
    }

    @Test func aBounceTooShortToBeSeenIsABounce() {
        var debouncer = Self.atRest
        _ = debouncer.receive(true, at: Self.at(100), quiet: 20)
        #expect(debouncer.receive(true, at: Self.at(115), quiet: 20) == nil)
        #expect(debouncer.nextChange == Self.at(135))
    }

    @Test func timeNeverRunsBackwards() {
        var debouncer = Self.atRest
        _ = debouncer.advance(to: Self.at(1000))
        _ = debouncer.receive(true, at: Self.at(900), quiet: 20)
        #expect(debouncer.nextChange == Self.at(1020))
    }

    // Any train of edges ---------------------------------------------------------------------------

    /// The level of every millisecond, and what a debouncer must say of it: the plainest way to say it.
    private static func oracle(_ levels: [Bool], quiet: Int) -> [Settled] {
        var told: [Settled] = []
        var accepted = false
        for time in levels.indices.dropFirst(quiet) {
            let before = Set(levels[(time - quiet)..<time])
            guard let level = before.first, before.count == 1, level != accepted else { continue }
            accepted = level
            told.append(settled(level, Int64(time)))
        }
        return told
    }

    @Test(arguments: 0..<UInt64(200))
    func agreesWithAPlainLookAtEveryMillisecond(seed: UInt64) {
        var chance = SeededNumbers(seed: seed)
        let quiet = Int64.random(in: 1...40, using: &chance)
        var levels = [Bool](repeating: false, count: 100)
        while levels.count < 6000 {
            let bounce = Bool.random(using: &chance) ? 1...5 : 1...120
            levels += [Bool](repeating: !(levels.last ?? false), count: Int.random(in: bounce, using: &chance))
        }
        var debouncer = Self.atRest
        var told: [Settled] = []
        var looked = 0
        // Edges are fetched in handfuls, after waits of up to two seconds.
        while looked < levels.count {
            let now = min(levels.count, looked + Int.random(in: 1...2000, using: &chance))
            for time in max(looked, 1)..<max(now, 1) where levels[time] != levels[time - 1] {
                told += [debouncer.receive(levels[time], at: Self.at(Int64(time)), quiet: quiet)].compactMap { $0 }
            }
            told += [debouncer.advance(to: Self.at(Int64(now - 1)))].compactMap { $0 }
            looked = now
        }
        #expect(told == Self.oracle(levels, quiet: Int(quiet)), "seed \(seed), quiet \(quiet)")
    }
}
