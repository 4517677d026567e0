import Testing
import Threads

@testable import Readers

/// What the threads share, without threads. Times in milliseconds.
@Suite struct ReadersStateTests {
    private static let entry = "Reader A 00 00"

    private func inService() -> ReadersState {
        var state = ReadersState(
            bindings: [.init(name: "entry", match: .name("Reader A")), .init(name: "exit", match: .name("Reader B"))])
        state.connected()
        _ = state.listed([Self.entry], at: 0)
        state.observed(.empty, on: Self.entry, at: 0)
        state.slots[0].contextGeneration = 1
        return state
    }

    private func codes(_ state: ReadersState, at now: Int64 = 0) -> [String] {
        state.readerStates(at: now).map { $0?.code ?? "not known yet" }
    }

    @Test func beforePcscdWasReachedEverythingIsDown() {
        let state = ReadersState(bindings: [.init(name: "entry", match: .name("A"))])
        #expect(codes(state) == ["reader-service-down"])
    }

    @Test func aReaderIsBoundAndTheOtherAbsent() {
        #expect(codes(inService()) == ["reader-ready", "reader-absent"])
    }

    /// pcscd hangs: what it said last is worth nothing, until it answers.
    @Test func aServiceThatDoesNotAnswerIsAFaultOfEveryReader() {
        var state = inService()
        func isNews(_ now: Int64) -> Bool {
            if case .proceed(true) = state.supervise(at: now) { true } else { false }
        }
        state.watcherAsks(at: 1000)
        guard case .wait(until: 7000) = state.supervise(at: 6999) else {
            Issue.record("nobody looks when the time has come")
            return
        }
        #expect(codes(state, at: 6999) == ["reader-ready", "reader-absent"])
        #expect(isNews(7000))
        #expect(codes(state, at: 7000) == ["reader-service-silent", "reader-service-silent"])
        #expect(!isNews(8000), "it is told once")
        state.slots[0].turn(to: .transmitting(since: 0))
        #expect(isNews(10_000))
        #expect(codes(state, at: 10_000) == ["reader-stuck", "reader-service-silent"], "what is known of a reader alone goes first")
        state.slots[0].turn(to: .idle)
        state.watcherIsAnswered(at: 10_500)
        #expect(codes(state, at: 11_000) == ["reader-ready", "reader-absent"])
    }

    @Test func onlyNewReadersAreReportedAsNew() {
        var state = inService()
        #expect(state.listed([Self.entry, "Reader B 01 00"], at: 1) == ["Reader B 01 00"])
        #expect(state.listed([Self.entry, "Reader B 01 00"], at: 2) == [])
        #expect(codes(state) == ["reader-ready", "not known yet"])
        state.observed(.empty, on: "Reader B 01 00", at: 3)
        #expect(codes(state) == ["reader-ready", "reader-ready"])
    }

    @Test func aCardIsServedOnceTheThreadHasItsContext() {
        var state = inService()
        state.slots[0].contextGeneration = nil
        state.observed(.present, on: Self.entry, at: 5)
        guard case .proceed(.establishContext(generation: 1)) = state.step(ofSlot: 0, at: 5) else {
            Issue.record("no context asked for")
            return
        }
        state.slots[0].contextGeneration = 1
        guard case .proceed(.serve(Self.entry, isRerun: false)) = state.step(ofSlot: 0, at: 6) else {
            Issue.record("not served")
            return
        }
        #expect(state.slots[0].activity == .connecting(since: 6))
    }

    /// What an idle reader's thread does long after, if its next sign of life is due at that time.
    private func idle(_ state: ReadersState, until time: Int64) -> WaitStep<ReaderSlot.Step> {
        var state = state
        state.slots[0].checkNotBefore = time
        return state.step(ofSlot: 0, at: 1_000_000)
    }

    /// pcscd may call a reader empty in which a phone lies: it is looked into twice after the start.
    @Test func aReaderThatWasEmptyAtTheFirstLookIsLookedIntoAgain() {
        var state = inService()
        for time: Int64 in [450, 1_500] {
            state.slots[0].checkNotBefore = time
            guard case .wait(until: time) = state.step(ofSlot: 0, at: time - 1),
                case .proceed(.inquire(Self.entry)) = state.step(ofSlot: 0, at: time)
            else {
                Issue.record("not at \(time)")
                return
            }
            #expect(state.slots[0].activity == .connecting(since: time))
        }
        guard case .wait(until: 2_000_000) = idle(state, until: 2_000_000) else {
            Issue.record("an idle reader costs a sign of life and nothing else")
            return
        }
    }

    @Test func aReaderThatPcscdKnowsIsNotLookedInto() {
        var state = inService()
        state.observed(.present, on: Self.entry, at: 100)
        state.observed(.empty, on: Self.entry, at: 200)
        guard case .wait(until: 2_000_000) = idle(state, until: 2_000_000) else {
            Issue.record("pcscd has counted")
            return
        }
    }

    /// The first time pcscd might just be about to see it.
    @Test func whatIsFoundTwiceInAnEmptyReaderIsServed() {
        var state = inService()
        state.found(inSlot: 0, at: 460)
        #expect(codes(state) == ["reader-ready", "reader-absent"])
        state.found(inSlot: 0, at: 1_510)
        #expect(codes(state) == ["reader-card-present", "reader-absent"])
        guard case .proceed(.serve(Self.entry, isRerun: false)) = state.step(ofSlot: 0, at: 1_510) else {
            Issue.record("not served")
            return
        }
    }

    @Test func aCardSeenBeforeItsReaderWasIdentifiedIsServed() {
        var state = ReadersState(
            bindings: [.init(name: "entry", match: .serial("S1"))])
        state.connected()
        _ = state.listed([Self.entry], at: 0)
        state.observed(.present, on: Self.entry, at: 0)
        #expect(codes(state) == ["reader-absent"])
        state.identified(AttachedReader(pcscName: Self.entry, serial: "S1"), at: 1)
        #expect(codes(state) == ["reader-card-present"])
    }

    @Test func aReaderWithACardOnItIsNeverSaidToBeReady() {
        var state = ReadersState(bindings: [.init(name: "entry", match: .name("Reader A"))])
        state.connected()
        _ = state.listed([Self.entry], at: 0)
        #expect(codes(state) == ["not known yet"])
        state.observed(.present, on: Self.entry, at: 1)
        #expect(codes(state) == ["reader-card-present"])
        _ = state.listed([], at: 2)
        _ = state.listed([Self.entry], at: 3)
        #expect(codes(state) == ["not known yet"], "plugged in again: nobody has looked yet")
    }

    @Test func anAnswerAboutAReaderThatLeftMeanwhileIsForgotten() {
        var state = inService()
        state.identified(AttachedReader(pcscName: "Reader B 01 00", serial: "S1"), at: 1)
        #expect(state.attached.map(\.pcscName) == [Self.entry])
    }

    @Test func aNewConnectionNeedsNewContexts() {
        var state = inService()
        state.disconnected(PCSCError(number: 0x8010_001E))
        #expect(codes(state) == ["reader-service-down", "reader-service-down"])
        state.connected()
        _ = state.listed([Self.entry], at: 10)
        guard case .proceed(.establishContext(generation: 2)) = state.step(ofSlot: 0, at: 10) else {
            Issue.record("the old context is kept")
            return
        }
    }

    @Test func aCallWithTheDriverForTenSecondsIsAFaultOfTheReader() {
        var state = inService()
        state.slots[0].turn(to: .transmitting(since: 1_000))
        guard case .wait(until: 11_000) = state.supervise(at: 1_500) else {
            Issue.record("not watched")
            return
        }
        guard case .proceed(true) = state.supervise(at: 11_000) else {
            Issue.record("not noticed")
            return
        }
        #expect(state.readerStates(at: 12_000)[0] == .stuck(milliseconds: 11_000))
        guard case .wait(until: nil) = state.supervise(at: 20_000) else {
            Issue.record("said twice")
            return
        }
        state.slots[0].turn(to: .conversing(since: 21_000))
        #expect(codes(state, at: 21_000)[0] == "reader-ready")
    }

    @Test func manyShortCallsAreNoFault() {
        var state = inService()
        for since in stride(from: Int64(0), to: 60_000, by: 5_000) {
            state.slots[0].turn(to: .transmitting(since: since))
            guard case .wait(until: since + 10_000) = state.supervise(at: since + 4_999) else {
                Issue.record("stuck, or watched wrongly")
                return
            }
        }
    }

    private static let denied = PCSCError(number: 0x8010_006A)
    private static let shared = PCSCError(number: 0x8010_000B)

    @Test func whoIsNotLetInIsOutOfServiceAtOnce() {
        var state = inService()
        state.slots[0].connectionRefusal.connectionRefused(Self.denied, at: 10)
        #expect(state.readerStates(at: 10)[0] == .refused(Self.denied))
        #expect(state.readerStates(at: 10)[0]?.message.contains("polkit") == true)
        #expect(codes(state)[1] == "reader-absent")
    }

    @Test func aReaderThatIsAskedForAMomentIsNoFault() {
        var state = inService()
        state.slots[0].connectionRefusal.connectionRefused(Self.shared, at: 10)
        #expect(codes(state, at: 10)[0] == "reader-ready")
        state.slots[0].connectionRefusal.connectionRefused(Self.shared, at: 510)
        #expect(codes(state, at: 510)[0] == "reader-refused")
    }

    @Test func aThreadWithoutContextIsAFaultAfterTwoSeconds() {
        var state = inService()
        let full = PCSCError(number: 0x8010_001D)
        for now in stride(from: Int64(0), through: 1_999, by: 250) {
            let error = now.isMultiple(of: 500) ? full : PCSCError(number: 0x8010_0013)
            state.slots[0].contextRefusal.contextRefused(error, at: now)
            #expect(codes(state, at: now)[0] == "reader-ready")
        }
        state.slots[0].contextRefusal.contextRefused(full, at: 2_000)
        #expect(codes(state, at: 2_000)[0] == "reader-unconnected")
        state.disconnected(full)
        #expect(codes(state, at: 2_001)[0] == "reader-service-down")
        state.connected()
        _ = state.listed([Self.entry], at: 2_002)
        state.observed(.empty, on: Self.entry, at: 2_002)
        #expect(codes(state, at: 2_002)[0] == "reader-ready", "a new pcscd has not refused anything yet")
    }

    @Test func anEmptyReaderThatWasRefusedIsAskedAgain() {
        var state = inService()
        state.slots[0].connectionRefusal.connectionRefused(Self.denied, at: 10)
        state.slots[0].probeNotBefore = 1_000
        guard case .wait(until: 1_000) = state.step(ofSlot: 0, at: 999) else {
            Issue.record("asked too often, or never")
            return
        }
        guard case .proceed(.probe(Self.entry)) = state.step(ofSlot: 0, at: 1_000) else {
            Issue.record("not asked")
            return
        }
        #expect(state.slots[0].activity == .connecting(since: 1_000))
    }

    @Test func aRefusedReaderThatIsUnpluggedIsNotRefusedAnyMore() {
        var state = inService()
        state.slots[0].connectionRefusal.connectionRefused(Self.denied, at: 10)
        _ = state.listed([], at: 20)
        _ = state.listed([Self.entry], at: 30)
        state.observed(.empty, on: Self.entry, at: 30)
        #expect(codes(state, at: 30)[0] == "reader-ready")
    }

    @Test func stoppingEndsEveryThread() {
        var state = inService()
        state.stop()
        guard case .proceed(.stop) = state.step(ofSlot: 0, at: 0), case .proceed(false) = state.supervise(at: 0) else {
            Issue.record("a thread goes on")
            return
        }
    }
}
