import Dispatch
import Foundation
import Testing
import Threads
import Waits

@testable import Radio

/// What phones write and read, against a scripted bluetoothd.
@Suite("Links over BlueZ", .enabled(if: FileManager.default.fileExists(atPath: PrivateBus.program)))
struct RadioLinkTests {
    static let first = ScriptedBluez.phone(1)
    static let second = ScriptedBluez.phone(2)

    @Test func whatAPhoneWritesComesWithItsLink() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        #expect(try await bench.bluez.write([0x00, 0x01], Self.first) == .success([]))
        try await bench.events.next(.wrote([0x00, 0x01], link))
        bench.stop()
    }

    @Test func twoPhonesAreAnsweredEachForItself() async throws {
        let bench = try await RadioBench.onAir()
        let links = [try #require(try await bench.link(1)), try #require(try await bench.link(2))]
        #expect(links[0] != links[1])
        let kept = Mutex<[RadioLink: WriteAnswer]>([:])
        bench.behave { manners in
            manners.wrote = { _, _, link, answer in kept.withLock { $0[link] = answer } }
            manners.read = { .value([UInt8(truncatingIfNeeded: $0.id)]) }
        }
        async let slow = bench.bluez.write([1], Self.first)
        try await bench.events.next(.wrote([1], links[0]))
        async let quick = bench.bluez.write([2], Self.second)
        try await bench.events.next(.wrote([2], links[1]))
        // The later one first, from a thread that is not the radios'.
        kept.withLock { $0[links[1]] }?.refuse(0x85)
        #expect(try await quick == .failure(BusFailure(name: "org.bluez.Error.Failed", text: "0x85")))
        kept.withLock { $0[links[0]] }?.accept()
        #expect(try await slow == .success([]))
        for (phone, link) in zip([Self.first, Self.second], links) {
            #expect(try await bench.bluez.read(phone) == .success([.bytes([UInt8(truncatingIfNeeded: link.id)])]))
        }
        bench.stop()
    }

    @Test func onlyTheFirstAnswerCounts() async throws {
        let bench = try await RadioBench.onAir()
        _ = try await bench.link()
        bench.behave { manners in
            manners.wrote = { _, _, _, answer in
                answer.refuse(0x81)
                answer.accept()
            }
        }
        #expect(try await bench.bluez.write([1], Self.first) == .failure(.attribute(0x81)))
        bench.stop()
    }

    @Test func aPhoneThatIsGoneIsAnsweredAllTheSame() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        bench.behave { $0.wrote = { _, _, _, _ in } }
        async let answer = bench.bluez.write([1], Self.first)
        try await bench.events.next(.wrote([1], link))
        bench.bluez.disconnect(Self.first)
        try await bench.events.next(.closed(link))
        #expect(try await answer == .failure(.attribute(0x80)))
        bench.stop()
    }

    @Test func whoWritesBeforeItIsToldConnectedHasALink() async throws {
        let bench = try await RadioBench.onAir()
        async let answer = bench.bluez.write([7], Self.first)
        let event = try await bench.events.next("a link that opens") { if case .opened = $0 { true } else { false } }
        guard case .opened(let link) = event else { return }
        try await bench.events.next(.wrote([7], link))
        #expect(try await answer == .success([]))
        bench.bluez.connect(Self.first)
        bench.bluez.disconnect(Self.first)
        try await bench.events.next(.closed(link))
        #expect(bench.events.all.count { if case .opened = $0 { true } else { false } } == 1)
        bench.stop()
    }

    @Test func eachConnectionIsALinkOfItsOwn() async throws {
        let bench = try await RadioBench.onAir()
        var links: Set<RadioLink> = []
        for _ in 0..<3 {
            let link = try #require(try await bench.link())
            links.insert(link)
            bench.bluez.disconnect(Self.first)
            try await bench.events.next(.closed(link))
        }
        #expect(links.count == 3)
        bench.stop()
    }

    @Test func aDroppedLinkIsClosedByBluetoothd() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        try bench.radios.drop(link)
        try await bench.bluez.asked.next(.disconnect(device: Self.first))
        try await bench.events.next(.closed(link))
        bench.stop()
    }

    @Test(arguments: ["org.freedesktop.DBus.Error.UnknownObject", "org.bluez.Error.DoesNotExist", "org.bluez.Error.NotConnected"])
    func aPhoneThatCannotBeDroppedBecauseItHasGoneIsGone(error: String) async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        bench.bluez.perform { $0.refusals["Disconnect"] = BusFailure(name: error, text: "gone") }
        try bench.radios.drop(link)
        try await bench.events.next(.closed(link))
        bench.stop()
        #expect(!bench.events.all.contains { if case .note = $0 { true } else { false } })
    }

    @Test func oneThatBluetoothdDoesNotDropStaysAndIsNoted() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        bench.bluez.perform { $0.refusals["Disconnect"] = BusFailure(name: "org.bluez.Error.Failed", text: "Input/output error") }
        for _ in 1...3 {
            try bench.radios.drop(link)
            try await bench.bluez.asked.next(call: "Disconnect")
        }
        #expect(try await bench.bluez.write([1], Self.first) == .success([]))
        #expect(!bench.events.all.contains(.closed(link)))
        // However often it is told again.
        #expect(Self.notes(bench) == ["radio-link-not-dropped"])
        // Another link is another matter.
        let other = try #require(try await bench.link(2))
        try bench.radios.drop(other)
        try await bench.events.next("a note") { if case .note = $0 { true } else { false } }
        #expect(Self.notes(bench).count == 2)
        bench.stop()
    }

    private static func notes(_ bench: RadioBench) -> [String] {
        bench.events.all.compactMap { if case .note(let code, _) = $0 { code } else { nil } }
    }

    @Test(arguments: BusName.nobodyErrors.sorted())
    func thatThereIsNoBluetoothdAnyMoreIsNotNotedOfALink(error: String) async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        bench.bluez.perform { $0.refusals["Disconnect"] = BusFailure(name: error, text: "gone") }
        try bench.radios.drop(link)
        try await bench.bluez.asked.next(call: "Disconnect")
        // Its answer has come before the next question.
        #expect(try await bench.bluez.write([1], Self.first) == .success([]))
        #expect(!bench.events.all.contains(.closed(link)))
        #expect(Self.notes(bench).isEmpty)
        bench.stop()
    }

    @Test func aLinkThatEndedBeforeItsRefusalIsNotNoted() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        let hold = DispatchSemaphore(value: 0)
        let begun = EventLog<String>()
        bench.bluez.perform { bluez in
            begun.record("bluetoothd is held up")
            hold.hold("bluetoothd")
            // The phone goes, and only then the gate's request is looked at.
            bluez.set(Self.first, BluezName.device, "Connected", .bool(false))
            bluez.refusals["Disconnect"] = BusFailure(name: "org.bluez.Error.Failed", text: "Input/output error")
        }
        try await begun.next("bluetoothd is held up")
        try bench.radios.drop(link)
        try await Self.isServed(bench)
        hold.signal()
        try await bench.bluez.asked.next(call: "Disconnect")
        let other = try #require(try await bench.link(2))
        #expect(other != link && bench.events.all.contains(.closed(link)))
        #expect(Self.notes(bench).isEmpty)
        bench.stop()
    }

    /// Whatever was left for the radios' thread has been done.
    private static func isServed(_ bench: RadioBench) async throws {
        let time = MonotonicTime.milliseconds
        try bench.setDue(time)
        try await bench.events.next(.due(time))
    }

    @Test func aBluetoothdThatHangsIsNotToldToHangUp() async throws {
        let bench = try await RadioBench.onAir(patience: RadioPatience(quiet: 50, doubt: 50, silent: 500))
        let link = try #require(try await bench.link())
        let hold = bench.bluez.hang()
        try await bench.events.next(.state("entry", "radio-service-silent"))
        for _ in 1...3 { try bench.radios.drop(link) }
        try await Self.isServed(bench)
        hold.signal()
        try await bench.events.next(.state("entry", "radio-ready"))
        // It has done by then what it was told while it hung.
        #expect(try await bench.bluez.write([1], Self.first) == .success([]))
        #expect(!bench.bluez.asked.all.contains(.disconnect(device: Self.first)))
        try bench.radios.drop(link)
        try await bench.bluez.asked.next(.disconnect(device: Self.first))
        bench.stop()
    }

    @Test func aClientMayDropInTheMiddleOfACall() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        bench.behave { manners in
            manners.wrote = { bench, _, link, answer in
                try? bench.radios.drop(link)
                answer.refuse(0x82)
            }
        }
        #expect(try await bench.bluez.write([1], Self.first) == .failure(.attribute(0x82)))
        try await bench.events.next(.closed(link))
        bench.stop()
    }

    // Values ------------------------------------------------------------------------------------

    @Test func aLongValueIsReadInParts() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        let value = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        bench.behave { $0.read = { _ in .value(value) } }
        #expect(try await bench.bluez.read(Self.first) == .success([.bytes(value)]))
        #expect(try await bench.bluez.read(Self.first, offset: 22) == .success([.bytes(Array(value[22...]))]))
        #expect(try await bench.bluez.read(Self.first, offset: 300) == .success([.bytes([])]))
        #expect(try await bench.bluez.read(Self.first, offset: 301) == .failure(.invalidOffset))
        #expect(bench.events.all.count { $0 == .read(link) } == 1)
        bench.stop()
    }

    @Test func withNothingToReadThereIsAnError() async throws {
        let bench = try await RadioBench.onAir()
        _ = try await bench.link()
        #expect(try await bench.bluez.read(Self.first) == .failure(BusFailure(name: "org.bluez.Error.Failed", text: "0x80")))
        #expect(try await bench.bluez.read(Self.first, offset: 5) == .failure(.invalidOffset))
        bench.stop()
    }

    @Test func whatWasReadEndsWithTheNextWrite() async throws {
        let bench = try await RadioBench.onAir()
        _ = try await bench.link()
        bench.behave { $0.read = { _ in .value([1, 2, 3]) } }
        _ = try await bench.bluez.read(Self.first)
        _ = try await bench.bluez.write([1], Self.first)
        #expect(try await bench.bluez.read(Self.first, offset: 1) == .failure(.invalidOffset))
        bench.stop()
    }

    @Test func theLongestValueIsTakenAndALongerOneIsNot() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        let longest = [UInt8](repeating: 7, count: Radios.longestValue)
        #expect(try await bench.bluez.write(longest, Self.first) == .success([]))
        #expect(try await bench.bluez.write(longest + [7], Self.first) == .failure(.invalidLength))
        #expect(try await bench.bluez.write([1], Self.first, offset: 1) == .failure(.invalidOffset))
        #expect(bench.events.all.count { if case .wrote(_, link) = $0 { true } else { false } } == 1)
        bench.stop()
    }

    @Test func aFloodOfWritesIsRefusedBeyondAFew() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        bench.behave { $0.wrote = { _, _, _, _ in } }
        let answers = try await withThrowingTaskGroup(of: ScriptedBluez.Answer.self) { group in
            for number in 0..<10 { group.addTask { try await bench.bluez.write([UInt8(number)], Self.first) } }
            var answers: [ScriptedBluez.Answer] = []
            for _ in 0..<6 { if let answer = try await group.next() { answers.append(answer) } }
            bench.bluez.disconnect(Self.first)
            for try await answer in group { answers.append(answer) }
            return answers
        }
        try await bench.events.next(.closed(link))
        #expect(answers == [ScriptedBluez.Answer](repeating: .failure(.attribute(0x80)), count: 10))
        #expect(bench.events.all.count { if case .wrote = $0 { true } else { false } } == OpenWrites.most)
        bench.stop()
    }

    @Test func nobodyButBluetoothdIsHeard() async throws {
        let bench = try await RadioBench.onAir()
        _ = try await bench.link()
        // Another one on the bus, who knows the names.
        let stranger = try ScriptedBluez(bench.bus.address)
        try await stranger.start(name: "org.example.Stranger")
        let owner = try #require(try await bench.bluez.ask { $1($0.applicationOwner) })
        let characteristic = "/org/tapstile/radio0/service/value"
        let answer: ScriptedBluez.Answer = try await stranger.ask { bluez, done in
            bluez.call(owner, characteristic, BluezName.characteristic, "WriteValue", [.bytes([1]), bluez.options(Self.first, 0)], done)
        }
        #expect(answer == .failure(.accessDenied))
        stranger.perform { $0.emit("/", BusName.objects, "InterfacesRemoved", [.path(ScriptedBluez.hci0), .strings([BluezName.adapter])]) }
        _ = try await bench.bluez.write([2], Self.first)
        #expect(!bench.events.all.contains(.state("entry", "radio-absent")))
        stranger.stop()
        bench.stop()
    }

    @Test func whatIsNotThereIsNotCalled() async throws {
        let bench = try await RadioBench.onAir()
        let owner = try #require(try await bench.bluez.ask { $1($0.applicationOwner) })
        for (path, interface, member) in [
            ("/org/tapstile/radio0/service/value", BluezName.characteristic, "StartNotify"), ("/", BusName.objects, "Get"),
            ("/org/tapstile/radio00", BusName.objects, "GetManagedObjects")
        ] {
            let answer: ScriptedBluez.Answer = try await bench.bluez.ask { $0.call(owner, path, interface, member, [], $1) }
            #expect(answer == .failure(.unknownMethod), "\(path)")
        }
        bench.stop()
    }

    @Test func propertiesCanBeAskedForOneByOne() async throws {
        let bench = try await RadioBench.onAir()
        let owner = try #require(try await bench.bluez.ask { $1($0.applicationOwner) })
        let answer: ScriptedBluez.Answer = try await bench.bluez.ask { bluez, done in
            bluez.call(owner, "/org/tapstile/radio0/advertisement", BusName.properties, "Get",
                       [.string(BluezName.advertisement), .string("Type")], done)
        }
        #expect(answer == .success([.variant(.string("peripheral"))]))
        let all: ScriptedBluez.Answer = try await bench.bluez.ask { bluez, done in
            bluez.call(owner, "/org/tapstile/radio0/service", BusName.properties, "GetAll", [.string(BluezName.gattService)], done)
        }
        guard case .success(let body) = all else {
            Issue.record("it is otherwise")
            return
        }
        #expect(body.first?["UUID"]?.text == RadioBench.serviceUUID)
        bench.stop()
    }
}
