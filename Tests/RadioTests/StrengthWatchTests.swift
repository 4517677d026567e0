import Testing

@testable import Radio

@Suite("Whether a radio can know the strength of links")
struct StrengthWatchTests {
    static func link(_ id: UInt64) -> RadioLink { RadioLink(radio: "r", id: id) }

    static func watch() -> StrengthWatch {
        var watch = StrengthWatch()
        _ = watch.uses("/org/bluez/hci0")
        return watch
    }

    /// A link of which so many samples are missed, and that stays.
    static func blind(_ id: UInt64, samples: Int = StrengthWatch.fewestSamples, _ watch: inout StrengthWatch) {
        for _ in 0..<samples {
            watch.found(link(id))
            watch.missed(link(id), .unknown)
        }
        watch.found(link(id))
        watch.ends(link(id))
    }

    @Test func threeLinksInARowOfWhichNothingIsKnownAreAFault() {
        var watch = Self.watch()
        for id in 1...2 as ClosedRange<UInt64> { Self.blind(id, &watch) }
        #expect(watch.fault == nil)
        Self.blind(3, &watch)
        #expect(watch.fault == .unknown)
    }

    @Test func oneLinkMeasuredAgainAndAgainIsOne() {
        var watch = Self.watch()
        for _ in 0..<5 { Self.blind(1, &watch) }
        #expect(watch.fault == nil)
    }

    @Test func whoConnectsAndLeavesSaysNothing() {
        var watch = Self.watch()
        for id in 1...20 as ClosedRange<UInt64> {
            // Too short.
            Self.blind(id, samples: StrengthWatch.fewestSamples - 1, &watch)
            // Long enough, but one of the samples was the end.
            watch.found(Self.link(id))
            for _ in 1..<StrengthWatch.fewestSamples {
                watch.missed(Self.link(id), .unanswered)
                watch.found(Self.link(id))
            }
            watch.missed(Self.link(id), .unanswered)
            watch.hasEnded(Self.link(id))
            watch.found(Self.link(id))
            watch.ends(Self.link(id))
        }
        #expect(watch.fault == nil)
    }

    @Test func oneKnownSampleBeginsAnew() {
        var watch = Self.watch()
        for id in 1...2 as ClosedRange<UInt64> { Self.blind(id, &watch) }
        watch.knows(Self.link(3))
        Self.blind(3, &watch)
        for id in 4...5 as ClosedRange<UInt64> { Self.blind(id, &watch) }
        #expect(watch.fault == nil)
        Self.blind(6, &watch)
        #expect(watch.fault == .unknown)
        watch.knows(Self.link(7))
        #expect(watch.fault == nil)
    }

    @Test func whereNothingCanBeAskedItIsKnownAtOnce() {
        var watch = Self.watch()
        watch.missed(Self.link(1), .noWay("no"))
        #expect(watch.fault == .noWay("no"))
        watch.missed(Self.link(1), .noWay("another"))
        #expect(watch.fault == .noWay("no"))
    }

    @Test func anotherAdapterOrTheSameOneComeBackIsLookedAtAnew() {
        var watch = Self.watch()
        watch.cannotAsk(.noWay("no"))
        let same = watch.uses("/org/bluez/hci0")
        #expect(!same)
        #expect(watch.fault != nil)
        let none = watch.uses(nil)
        #expect(none)
        #expect(watch.fault == nil)
    }

    @Test func eachFaultNamesItsRemedy() {
        #expect(StrengthFault.noWay("No.").reason.contains("AF_BLUETOOTH"))
        for fault in [StrengthFault.failed("No."), .unknown, .refused(0x0C), .unanswered] {
            #expect(fault.reason.contains("newer kernel fixes it."))
            #expect(!fault.reason.contains("AF_BLUETOOTH"))
        }
    }

    @Test func ofTwoWaysBothMustBeShut() {
        #expect(StrengthFault.noWay("a").joined(by: .noWay("b")) == .noWay("a"))
        #expect(StrengthFault.noWay("a").joined(by: .failed("b")) == .failed("b"))
        #expect(StrengthFault.failed("a").joined(by: .noWay("b")) == .failed("a"))
    }
}
