import Testing
import Threads
import VirtualPhone
import Waits

@testable import Readers

extension Result<Void, PCSCError> {
    fileprivate var isSharing: Bool {
        if case .failure(let error) = self { error.kind == .sharing } else { false }
    }
}

/// The readers on a real pcscd with the virtual reader. One pcscd per process: one test after the other.
@Suite(.serialized) struct PCSCReadersTests {
    /// Runs a test with a pcscd that it starts itself. Whatever becomes of the test, the next one finds neither.
    private func withDaemon(
        _ bench: ReaderBench, _ test: (inout PrivatePCSCD) async throws -> Void
    ) async throws {
        var daemon = PrivatePCSCD()
        do {
            try await test(&daemon)
        } catch {
            bench.readers.stop()
            try? daemon.remove()
            throw error
        }
        bench.readers.stop()
        try daemon.remove()
    }

    /// Runs a test with readers in service.
    private func withReaders(
        _ bench: ReaderBench, _ test: (inout PrivatePCSCD) async throws -> Void
    ) async throws {
        try await withDaemon(bench) { daemon in
            try daemon.start()
            try bench.readers.start()
            try await bench.events.next(.state("entry", "reader-ready"))
            try await test(&daemon)
        }
    }

    /// Waits until the phone at that reader has been away for long enough to count as presented anew (T9).
    /// On a busy machine the watcher may see it leave late, and the next one arrive in time.
    private func fieldIsEmpty(of reader: ReaderName, on bench: ReaderBench) async throws {
        try await bench.events.next(.state(reader, "reader-ready"))
        try await letTimePass(.milliseconds(PresenceRule.awayMilliseconds), because: "so long must a phone be away (T9)")
    }

    /// The end of the presentation of a phone that leaves in the middle of it, once its field is empty for
    /// long enough. The reader's thread tells the one, the watcher the other: neither must come first.
    private func endOfPresentation(at reader: ReaderName, on bench: ReaderBench) async throws -> ReaderBench.Event {
        let told = try await bench.events.next("the end of the presentation and of the phone's stay", each: [
            { if case .ended(reader, _) = $0 { true } else { false } }, { $0 == .state(reader, "reader-ready") }
        ])
        try await letTimePass(.milliseconds(PresenceRule.awayMilliseconds), because: "so long must a phone be away (T9)")
        return told[0]
    }

    private static let answered: [Result<[UInt8], LinkError>] = [.success([0x00, 0xA4, 0x90, 0x00])]

    // MARK: Presentations (T1, T9)

    @Test func aPhoneIsServedWhenItIsPresented() async throws {
        let bench = ReaderBench()
        try await withReaders(bench) { daemon in
            let card = ReaderBench.echo(daemon.port)
            try card.insert()
            try await bench.events.next(.ended("entry", Self.answered))
            card.remove()
            try await bench.events.next(.state("entry", "reader-ready"))
            #expect(bench.events.all.contains(.state("entry", "reader-card-present")))
        }
    }

    // MARK: UID-only cards (V8)

    /// A card of which the reader has an ATR and a number, and nothing else.
    private func uidOnlyCard(_ port: UInt16, answer: [UInt8], heard: EventLog<CardEvent>? = nil) -> VirtualCard {
        VirtualCard(port: port, answerToReset: CardKindTests.plain[0], onEvent: { heard?.record($0) }) { command in
            command == [0xFF, 0xCA, 0x00, 0x00, 0x00] ? answer : [0x6D, 0x00]
        }
    }

    @Test func aUIDOnlyCardIsToldByItsNumber() async throws {
        let bench = ReaderBench()
        try await withReaders(bench) { daemon in
            let heard = EventLog<CardEvent>()
            let card = uidOnlyCard(daemon.port, answer: [4, 1, 2, 3, 4, 5, 6, 0x90, 0x00], heard: heard)
            try card.insert()
            try await bench.events.next(.uidOnlyCard("entry", [4, 1, 2, 3, 4, 5, 6]))
            card.remove()
            try await fieldIsEmpty(of: "entry", on: bench)
            #expect(bench.presentations("entry") == 0)
            #expect(heard.all.filter { if case .command = $0 { true } else { false } } == [.command([0xFF, 0xCA, 0x00, 0x00, 0x00])])
        }
    }

    /// Whoever has ISO-DEP is never asked for a number, also where it has one to tell.
    @Test func aPhoneIsNotAskedForItsNumber() async throws {
        let bench = ReaderBench()
        try await withReaders(bench) { daemon in
            let heard = EventLog<CardEvent>()
            let phone = ReaderBench.echo(daemon.port, heard: heard)
            try phone.insert()
            try await bench.events.next(.ended("entry", Self.answered))
            phone.remove()
            #expect(heard.all.filter { if case .command = $0 { true } else { false } } == [.command([0x00, 0xA4])])
        }
    }

    @Test(arguments: [[0x6A, 0x81], [0x90, 0x00], [4, 1, 2, 3, 0x62, 0x82]] as [[UInt8]])
    func aCardWhoseNumberTheReaderDoesNotTellIsAskedAsAPhoneIs(answer: [UInt8]) async throws {
        let bench = ReaderBench()
        try await withReaders(bench) { daemon in
            let card = uidOnlyCard(daemon.port, answer: answer)
            try card.insert()
            try await bench.events.next(.ended("entry", [.success([0x6D, 0x00])]))
        }
    }

    @Test func commandsAndAnswersOfEverySizeArriveWhole() async throws {
        let commands = (4...261).map { size in (0..<size).map { UInt8(truncatingIfNeeded: $0 &+ size) } }
        let bench = ReaderBench { _, link in (.done, commands.map { ReaderBench.send($0, over: link) }) }
        try await withReaders(bench) { daemon in
            let card = ReaderBench.echo(daemon.port)
            try card.insert()
            try await bench.events.next(.ended("entry", commands.map { .success($0 + [0x90, 0x00]) }))
        }
    }

    @Test func aCardLeftLyingIsServedOnceAndAgainWhenPresentedAgain() async throws {
        let bench = ReaderBench()
        try await withReaders(bench) { daemon in
            let lying = ReaderBench.echo(daemon.port)
            try lying.insert()
            try await bench.events.next(.ended("entry", Self.answered))
            // The watcher sees the other reader's card come and go while this one lies there.
            for _ in 0..<2 {
                let other = ReaderBench.echo(daemon.port + 1)
                try other.insert()
                try await bench.events.next(.ended("exit", Self.answered))
                other.remove()
                try await fieldIsEmpty(of: "exit", on: bench)
            }
            #expect(bench.presentations("entry") == 1)
            lying.remove()
            try await fieldIsEmpty(of: "entry", on: bench)
            try lying.insert()
            try await bench.events.next(.ended("entry", Self.answered))
            #expect(bench.presentations("entry") == 2)
        }
    }

    @Test func aPhoneInItsCooldownIsServedWithoutBeingLifted() async throws {
        let pause: Int64 = 250
        let ends = EventLog<Int64>()
        let bench = ReaderBench { _, link in
            let result = ReaderBench.send([0x00, 0xA4], over: link)
            ends.record(MonotonicTime.milliseconds)
            return (ends.all.count < 3 ? .again(afterMilliseconds: pause) : .done, [result])
        }
        try await withReaders(bench) { daemon in
            let card = ReaderBench.echo(daemon.port)
            try card.insert()
            for _ in 0..<3 { try await bench.events.next(.ended("entry", Self.answered)) }
            #expect(zip(ends.all, ends.all.dropFirst()).allSatisfy { $1 - $0 >= pause })
        }
    }

    @Test func aPresentationThatBreaksOffIsTriedThreeTimes() async throws {
        let bench = ReaderBench { name, link in
            (name == "entry" ? .interrupted : .done, [ReaderBench.send([0x00, 0xA4], over: link)])
        }
        try await withReaders(bench) { daemon in
            let card = ReaderBench.echo(daemon.port)
            try card.insert()
            for _ in 0..<3 { try await bench.events.next(.ended("entry", Self.answered)) }
            let other = ReaderBench.echo(daemon.port + 1)
            try other.insert()
            try await bench.events.next(.ended("exit", Self.answered))
            #expect(bench.presentations("entry") == 3)
        }
    }

    // MARK: Phones that go wrong

    @Test(arguments: 1...4)
    func aPhonePulledAwayAtAnyCommandEndsItsPresentationAndTheNextIsServed(command: Int) async throws {
        let bench = ReaderBench { _, link in
            (.done, (1...4).map { ReaderBench.send([0x00, UInt8($0)], over: link) })
        }
        try await withReaders(bench) { daemon in
            let leaving = ReaderBench.echo(daemon.port, .leaves(atCommand: command))
            try leaving.insert()
            let broken = try await endOfPresentation(at: "entry", on: bench)
            guard case .ended("entry", let results) = broken else {
                Issue.record("\(broken)")
                return
            }
            for (index, result) in results.enumerated() {
                switch result {
                case .success(let response):
                    #expect(index + 1 < command)
                    #expect(response == [0x00, UInt8(index + 1), 0x90, 0x00])
                case .failure(let error):
                    #expect(index + 1 >= command)
                    #expect(error.code == "link-card-gone" || error.code == "link-failed")
                }
            }
            let next = ReaderBench.echo(daemon.port)
            try next.insert()
            try await bench.events.next(.ended("entry", (1...4).map { .success([0x00, $0, 0x90, 0x00]) }))
        }
    }

    /// pcscd looks every 400 ms, and need not have seen that there was nobody in between.
    @Test(arguments: [0, 100, 200, 300])
    func aPhoneThatComesRightAfterOneThatBrokeOffIsServed(pause: Int) async throws {
        let bench = ReaderBench { _, link in
            let result = ReaderBench.send([0x00, 0xA4], over: link)
            return ((try? result.get()) == nil ? .interrupted : .done, [result])
        }
        try await withReaders(bench) { daemon in
            let heard = EventLog<CardEvent>()
            let leaving = ReaderBench.echo(daemon.port, .leaves(atCommand: 1), heard: heard)
            try leaving.insert()
            try await heard.next(.gone)
            try await letTimePass(.milliseconds(pause), because: "the next phone comes at any moment between two looks")
            let next = ReaderBench.echo(daemon.port)
            try next.insert()
            try await bench.events.next(.ended("entry", Self.answered))
            #expect(bench.presentations("entry") == 2)
        }
    }

    /// Resets what is in the first slot, once nobody else uses it.
    private func forgetCard() throws {
        let context = try PCSCContext()
        let outcome = try waitUntil("nobody else to use the first slot") {
            Result { () throws(PCSCError) in try context.startAnew("\(PrivatePCSCD.readerName) 00 00") }
        } fits: { !$0.isSharing }
        try outcome.get()
    }

    /// pcscd is made to believe that a reader is empty in which a phone lies, as a program does that resets a card
    /// which is just being swapped.
    @Test func aPhoneThatPcscdHasForgottenIsServedInItsCooldown() async throws {
        let bench = ReaderBench { _, link in (.again(afterMilliseconds: 300), [ReaderBench.send([0x00, 0xA4], over: link)]) }
        try await withReaders(bench) { daemon in
            for _ in 0..<3 {
                let leaving = ReaderBench.echo(daemon.port)
                try leaving.insert()
                try await bench.events.next(.ended("entry", Self.answered))
                leaving.remove()
                // Empty at this moment, whatever pcscd's next look shows.
                try forgetCard()
                let next = ReaderBench.echo(daemon.port)
                try next.insert()
                try await bench.events.next(.ended("entry", Self.answered))
                next.remove()
                try await fieldIsEmpty(of: "entry", on: bench)
            }
        }
    }

    @Test func aSilentPhoneIsGivenUpAndTheOtherReaderNeverWaits() async throws {
        let links = EventLog<any Link>()
        let bench = ReaderBench { name, link in
            if name == "entry" { links.record(link) }
            return (.done, [ReaderBench.send([0x00, 0xA4], over: link)])
        }
        try await withReaders(bench) { daemon in
            let heard = EventLog<CardEvent>()
            let silent = ReaderBench.echo(daemon.port, .silent(atCommand: 1, forMilliseconds: nil), heard: heard)
            try silent.insert()
            let link = try await links.next("a link") { _ in true }
            try await heard.next(.command([0x00, 0xA4]))
            let other = ReaderBench.echo(daemon.port + 1)
            try other.insert()
            try await bench.events.next(.ended("exit", Self.answered))
            guard case .transmitting = bench.readers.activity(of: "entry") else {
                Issue.record("the call is not to be seen")
                return
            }
            link.invalidate()
            silent.remove()
            #expect(try await endOfPresentation(at: "entry", on: bench) == .ended("entry", [.failure(.timedOut)]))
            let next = ReaderBench.echo(daemon.port)
            try next.insert()
            try await bench.events.next(.ended("entry", Self.answered))
        }
    }

    @Test func anAnswerAfterTheDeadlineIsThrownAway() async throws {
        let bench = ReaderBench { _, link in
            link.close(atMonotonicMilliseconds: MonotonicTime.milliseconds + 100)
            return (.done, (1...3).map { ReaderBench.send([0x00, $0], over: link) })
        }
        try await withReaders(bench) { daemon in
            let late = ReaderBench.echo(daemon.port, .late(atCommand: 2, milliseconds: 200))
            try late.insert()
            try await bench.events.next(
                .ended("entry", [.success([0x00, 1, 0x90, 0x00]), .failure(.timedOut), .failure(.timedOut)]))
        }
    }

    @Test func aPhoneSilentForLongIsAFaultOfTheReaderUntilTheDriverGivesUp() async throws {
        let bench = ReaderBench(ReaderBench.twoSlots(stuckAfterMilliseconds: 300))
        try await withReaders(bench) { daemon in
            let silent = ReaderBench.echo(daemon.port, .silent(atCommand: 1, forMilliseconds: nil))
            try silent.insert()
            try await bench.events.next(.state("entry", "reader-stuck"))
            #expect(bench.readers.state(of: "exit") == .ready)
            silent.remove()
            try await fieldIsEmpty(of: "entry", on: bench)
            let next = ReaderBench.echo(daemon.port)
            try next.insert()
            try await bench.events.next(.ended("entry", Self.answered))
        }
    }

    @Test func aLinkKeptBeyondItsPresentationIsDead() async throws {
        let links = EventLog<any Link>()
        let bench = ReaderBench { _, link in
            links.record(link)
            return (.done, [ReaderBench.send([0x00, 0xA4], over: link)])
        }
        try await withReaders(bench) { daemon in
            let card = ReaderBench.echo(daemon.port)
            try card.insert()
            try await bench.events.next(.ended("entry", Self.answered))
            card.remove()
            try await bench.events.next(.state("entry", "reader-ready"))
            #expect(throws: LinkError.timedOut) { try links.all[0].transmit([0x00]) }
        }
    }

    // MARK: pcscd and readers that come and go

    @Test(arguments: [true, false])
    func pcscdMayBeKilledOrStoppedAndComeBack(isKilled: Bool) async throws {
        let bench = ReaderBench()
        try await withReaders(bench) { daemon in
            try isKilled ? daemon.kill() : daemon.stop()
            try await bench.events.next(.state("exit", "reader-service-down"))
            let restarted = MonotonicTime.nanoseconds
            try daemon.start()
            try await bench.events.next(.state("exit", "reader-ready"))
            #expect(MonotonicTime.nanoseconds - restarted < 5_000_000_000)
            let card = ReaderBench.echo(daemon.port)
            try card.insert()
            try await bench.events.next(.ended("entry", Self.answered))
        }
    }

    @Test func pcscdMayBeKilledWhileAPhoneIsAsked() async throws {
        let bench = ReaderBench { _, link in
            let result = ReaderBench.send([0x00, 0xA4], over: link)
            return ((try? result.get()) == nil ? .interrupted : .done, [result])
        }
        try await withReaders(bench) { daemon in
            let heard = EventLog<CardEvent>()
            let silent = ReaderBench.echo(daemon.port, .silent(atCommand: 1, forMilliseconds: nil), heard: heard)
            try silent.insert()
            try await heard.next(.command([0x00, 0xA4]))
            try daemon.kill()
            let ended = try await bench.events.next("the end of a presentation") {
                if case .ended = $0 { true } else { false }
            }
            guard case .ended("entry", let results) = ended, case .failure(let error) = results.first else {
                Issue.record("\(ended)")
                return
            }
            #expect(error.code == "link-service-gone")
            try daemon.start()
            try await bench.events.next(.state("entry", "reader-ready"))
            let card = ReaderBench.echo(daemon.port)
            try card.insert()
            try await bench.events.next(.ended("entry", Self.answered))
        }
    }

    @Test func pcscdMayBeAbsentAtTheStart() async throws {
        let bench = ReaderBench()
        try await withDaemon(bench) { daemon in
            try bench.readers.start()
            try await bench.events.next(.state("entry", "reader-service-down"))
            try daemon.start()
            try await bench.events.next(.state("entry", "reader-ready"))
            let card = ReaderBench.echo(daemon.port)
            try card.insert()
            try await bench.events.next(.ended("entry", Self.answered))
        }
    }

    @Test func aPcscdThatHangsIsAFaultAndNoReasonForARestart() async throws {
        let loops = Loops()
        let bench = ReaderBench(loops: loops)
        try await withReaders(bench) { daemon in
            #expect(loops.states.map(\.name) == ["pcsc-entry", "pcsc-exit", "pcsc-supervisor", "pcsc-watcher"])
            try daemon.hold(true)
            // One that is held could not be stopped.
            defer { try? daemon.hold(false) }
            try await bench.events.next(.state("entry", "reader-service-silent"))
            let watcher = try #require(loops.states.first { $0.name == "pcsc-watcher" })
            #expect(watcher.state.verdict(at: .max / 2, limit: loops.limit) == .fine)
            try daemon.hold(false)
            try await bench.events.next(.state("entry", "reader-ready"))
        }
        #expect(loops.states.isEmpty)
    }

    @Test func aReaderThatHangsInADriverIsNoReasonForARestart() async throws {
        let loops = Loops()
        let bench = ReaderBench(ReaderBench.twoSlots(stuckAfterMilliseconds: 300), loops: loops)
        try await withReaders(bench) { daemon in
            let card = ReaderBench.echo(daemon.port, .silent(atCommand: 1, forMilliseconds: nil))
            try card.insert()
            try await bench.events.next(.state("entry", "reader-stuck"))
            let reader = try #require(loops.states.first { $0.name == "pcsc-entry" })
            #expect(reader.state.verdict(at: .max / 2, limit: loops.limit) == .fine)
            card.remove()
            try await bench.events.next(.state("entry", "reader-ready"))
        }
    }

    @Test func aReaderMayVanishAndComeBack() async throws {
        let bench = ReaderBench()
        try await withReaders(bench) { daemon in
            try daemon.stop()
            try daemon.start(readerName: "Some Other Reader")
            try await bench.events.next(.state("entry", "reader-absent"))
            #expect(
                bench.readers.attached.map(\.pcscName) == ["Some Other Reader 00 00", "Some Other Reader 00 01"])
            try daemon.stop()
            try daemon.start()
            try await bench.events.next(.state("entry", "reader-ready"))
        }
    }

    @Test func aBindingThatFitsTwoReadersIsBoundToNone() async throws {
        let bench = ReaderBench([
            ReaderBinding(name: "entry", match: .name(PrivatePCSCD.readerName)),
            ReaderBinding(name: "exit", match: .serial("0815")),
        ])
        try await withDaemon(bench) { daemon in
            try daemon.start()
            try bench.readers.start()
            try await bench.events.next(.state("entry", "reader-ambiguous"))
            #expect(
                bench.readers.state(of: "entry")
                    == .ambiguous(candidates: ["\(PrivatePCSCD.readerName) 00 00", "\(PrivatePCSCD.readerName) 00 01"]))
            #expect(bench.readers.state(of: "exit")?.code == "reader-absent")
        }
    }

    @Test func aReaderHeldByAnotherProgramIsServedWhenItIsLetGo() async throws {
        let bench = ReaderBench()
        try await withReaders(bench) { daemon in
            let rival = try PCSCContext()
            let held = try rival.connectDirectly("\(PrivatePCSCD.readerName) 00 00")
            let card = ReaderBench.echo(daemon.port)
            try card.insert()
            try await bench.events.next(.note("pcsc-sharing-violation"))
            try await bench.events.next(.state("entry", "reader-refused"))
            #expect(bench.readers.state(of: "entry")?.message.contains("Another program uses the reader") == true)
            #expect(bench.presentations("entry") == 0)
            held.disconnect(.leave)
            // In service before the phone is asked: a lane without a reader grants nothing.
            try await bench.events.next(.state("entry", "reader-card-present"))
            try await bench.events.next(.ended("entry", Self.answered))
        }
    }

    /// Nobody presents a phone to a lane that is out of service: it comes back without one.
    @Test func aReaderThatWasRefusedComesBackWithoutAPhone() async throws {
        let bench = ReaderBench()
        try await withReaders(bench) { daemon in
            let rival = try PCSCContext()
            let held = try rival.connectDirectly("\(PrivatePCSCD.readerName) 00 00")
            let card = ReaderBench.echo(daemon.port)
            try card.insert()
            try await bench.events.next(.state("entry", "reader-refused"))
            held.disconnect(.leave)
            card.remove()
            try await bench.events.next(.state("entry", "reader-ready"))
        }
    }

    /// One client too many: the watcher has its connection, the readers' threads get none.
    @Test func aReaderWithoutAConnectionToPcscdIsAFault() async throws {
        let bench = ReaderBench()
        try await withDaemon(bench) { daemon in
            try daemon.start(options: "--max-thread 1")
            try bench.readers.start()
            try await bench.events.next(.state("exit", "reader-unconnected"))
            #expect(bench.readers.state(of: "exit")?.isInService == false)
            try daemon.stop()
            try daemon.start()
            try await bench.events.next(.state("exit", "reader-ready"))
        }
    }

    // MARK: The end

    @Test func stoppingWhileNothingHappensEndsEveryThread() async throws {
        let bench = ReaderBench()
        try await withReaders(bench) { _ in
            bench.readers.stop()
            #expect(!bench.events.all.contains(.note("reader-thread-left-behind")))
        }
    }

    @Test func stoppingWithoutPcscdEndsEveryThread() async throws {
        _ = PrivatePCSCD()
        let bench = ReaderBench()
        try bench.readers.start()
        defer { bench.readers.stop() }
        try await bench.events.next(.state("entry", "reader-service-down"))
        bench.readers.stop()
        #expect(!bench.events.all.contains(.note("reader-thread-left-behind")))
    }

    @Test func stoppingWhileACallIsWithTheDriverLeavesItsThreadBehindAndSaysSo() async throws {
        let bench = ReaderBench()
        try await withReaders(bench) { daemon in
            let heard = EventLog<CardEvent>()
            let silent = ReaderBench.echo(daemon.port, .silent(atCommand: 1, forMilliseconds: nil), heard: heard)
            try silent.insert()
            try await heard.next(.command([0x00, 0xA4]))
            bench.readers.stop()
            try await bench.events.next(.note("reader-thread-left-behind"))
            silent.remove()
            try await bench.events.next(.ended("entry", [.failure(.timedOut)]))
        }
    }
}
