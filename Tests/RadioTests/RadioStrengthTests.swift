import Foundation
import Testing
import Threads
import Waits

@testable import Radio

/// The strength of links, against a scripted bluetoothd and scripted adapters.
@Suite("The strength of links over BlueZ", .enabled(if: FileManager.default.fileExists(atPath: PrivateBus.program)))
struct RadioStrengthTests {
    @Test func aMeasuredLinkIsSampledUntilItEnds() async throws {
        let adapter = ScriptedAdapter()
        let bench = try await RadioBench.onAir(ways: [adapter])
        let link = try #require(try await bench.link())
        adapter.strengths.withLock { $0 = [-50, -51, 127, nil] }
        try bench.radios.measure(link, everyMilliseconds: 5)
        for strength in [-50, -51, nil, nil] as [Int8?] { try await bench.events.next(.strength(strength, link)) }
        bench.bluez.disconnect(RadioLinkTests.first)
        try await bench.events.next(.closed(link))
        bench.stop()
        let told = bench.events.all.drop { $0 != .closed(link) }
        #expect(!told.contains { if case .strength = $0 { true } else { false } })
        #expect(adapter.asked.withLock { $0 } == "C0:00:00:00:00:01")
    }

    @Test func theSecondWayIsTakenWhereTheFirstIsForbidden() async throws {
        let adapter = ScriptedAdapter()
        adapter.strengths.withLock { $0 = [-60] }
        let bench = try await RadioBench.onAir(ways: [ForbiddenWay(number: 1), adapter])
        let link = try #require(try await bench.link())
        try bench.radios.measure(link, everyMilliseconds: 1_000)
        try await bench.events.next(.strength(-60, link))
        bench.stop()
    }

    @Test func theKernelOfThisMachineIsAskedWithoutHarm() async throws {
        let bench = try await RadioBench.onAir(ways: [HCIWay(), ManagementWay()])
        let link = try #require(try await bench.link())
        try bench.radios.measure(link, everyMilliseconds: 1_000)
        try await bench.events.next("a strength") { if case .strength = $0 { true } else { false } }
        bench.stop()
    }

    @Test func withoutAWayTheRadioIsOutOfServiceAtOnce() async throws {
        let bench = try await RadioBench.onAir(ways: [ForbiddenWay(number: EAFNOSUPPORT), ForbiddenWay(number: EPERM)])
        let link = try #require(try await bench.link())
        try bench.radios.measure(link, everyMilliseconds: 1)
        try await bench.events.next(.strength(nil, link))
        try await bench.events.next(.state("entry", "radio-strength-unknown"))
        bench.stop()
        #expect(!bench.events.all.contains { if case .note = $0 { true } else { false } })
    }

    @Test func aRadioThatNeedsStrengthSaysSoBeforeTheFirstPhone() async throws {
        let bench = try RadioBench(ways: [ForbiddenWay(number: EAFNOSUPPORT), ForbiddenWay(number: EPERM)], wantsStrength: true)
        try await bench.bluez.start { $0.addAdapter() }
        try bench.radios.start()
        try await bench.events.next(.state("entry", "radio-strength-unknown"))
        #expect(!bench.events.all.contains(.state("entry", "radio-ready")))
        // Another adapter may know.
        bench.bluez.perform { $0.remove(ScriptedBluez.hci0) }
        try await bench.events.next(.state("entry", "radio-absent"))
        bench.stop()
    }

    @Test(arguments: [EMFILE, ENFILE, ENOMEM, ENOBUFS])
    func whatTheMachineLacksForAMomentIsNoFaultOfTheRadio(number: Int32) async throws {
        let bench = try RadioBench(ways: [ForbiddenWay(number: number), ForbiddenWay(number: EPERM)], wantsStrength: true)
        try await bench.bluez.start { $0.addAdapter() }
        try bench.radios.start()
        try await bench.events.next(.state("entry", "radio-ready"))
        let link = try #require(try await bench.link())
        try bench.radios.measure(link, everyMilliseconds: 1)
        for _ in 0..<3 { try await bench.events.next(.strength(nil, link)) }
        bench.stop()
        #expect(!bench.events.all.contains(.state("entry", "radio-strength-unknown")))
        let notes = bench.events.all.compactMap { if case .note(let code, _) = $0 { code } else { nil } }
        #expect(notes == ["radio-strength-unasked"])
    }

    @Test func anAdapterThatNeverAnswersIsNamedAndMeasuredOn() async throws {
        let adapter = ScriptedAdapter()
        let bench = try await RadioBench.onAir(ways: [adapter])
        for number in 1...StrengthWatch.linksInARow {
            #expect(!bench.events.all.contains(.state("entry", "radio-strength-unknown")))
            let link = try #require(try await bench.link(number))
            try bench.radios.measure(link, everyMilliseconds: 1)
            // The last of them is after the fewest that count.
            for _ in 0...StrengthWatch.fewestSamples { try await bench.events.next(.strength(nil, link)) }
            try bench.radios.stopMeasuring(link)
        }
        try await bench.events.next(.state("entry", "radio-strength-unknown"))
        let link = try #require(try await bench.link(9))
        adapter.strengths.withLock { $0 = [-50] }
        try bench.radios.measure(link, everyMilliseconds: 1_000)
        try await bench.events.next(.strength(-50, link))
        try await bench.events.next(.state("entry", "radio-ready"))
        bench.stop()
    }

    @Test func whatFailsIsToldOnceAndNamesNoPhone() async throws {
        let adapter = ScriptedAdapter()
        adapter.failure.withLock { $0 = ENOBUFS }
        let bench = try await RadioBench.onAir(ways: [adapter])
        for number in 1...2 {
            let link = try #require(try await bench.link(number))
            try bench.radios.measure(link, everyMilliseconds: 1)
            for _ in 0..<3 { try await bench.events.next(.strength(nil, link)) }
            try bench.radios.stopMeasuring(link)
        }
        bench.stop()
        let notes = bench.events.all.compactMap { if case .note(_, let text) = $0 { text } else { nil } }
        #expect(notes.count == 1)
        #expect(notes.allSatisfy { !$0.contains("C0:00") })
    }
}
