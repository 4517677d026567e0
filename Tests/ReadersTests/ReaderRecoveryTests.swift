import Testing
import Threads

@testable import Readers

/// O5 for readers of pcscd, without threads. Times in milliseconds. The virtual reader has no way to hang: that is played here.
@Suite("A reader of pcscd that does not answer") struct ReaderRecoveryTests {
    private static let entry = "Reader A 00 00"

    private static func inService(withPort: Bool = false) -> ReadersState {
        var state = ReadersState(bindings: [.init(name: "entry", match: .name("Reader A"))], switchable: withPort ? ["entry"] : [])
        state.connected()
        _ = state.listed([entry], at: 0)
        // Counted, so that nobody looks into it at the start.
        state.observed(.present, on: entry, at: 0)
        state.observed(.empty, on: entry, at: 0)
        state.slots[0].contextGeneration = 1
        return state
    }

    /// What its thread does at that time.
    private static func step(_ state: inout ReadersState, at now: Int64) -> String {
        switch state.step(ofSlot: 0, at: now) {
        case .wait(let time): "until \(time.map(String.init) ?? "-")"
        case .proceed(.check): "check"
        case .proceed(.recover(let rung, _)): rung.rawValue
        case .proceed(.serve): "serve"
        case .proceed(.establishContext): "context"
        case .proceed(.stop), .proceed(.probe), .proceed(.inquire): "other"
        }
    }

    private static func isNews(_ state: inout ReadersState, at now: Int64) -> Bool {
        if case .proceed(true) = state.supervise(at: now) { true } else { false }
    }

    private static func code(_ state: ReadersState, at now: Int64) -> String { state.readerStates(at: now)[0]?.code ?? "-" }

    @Test func anIdleReaderGivesASignOfLifeEachSecond() {
        var state = Self.inService()
        #expect(Self.step(&state, at: 999) == "until 1000")
        for second: Int64 in [1_000, 2_010, 3_020] {
            #expect(Self.step(&state, at: second) == "check")
            #expect(state.slots[0].activity == .checking(since: second))
            state.checked(slot: 0, isAlive: true, at: second + 10)
            #expect(Self.step(&state, at: second + 11) == "until \(second + 1_010)")
        }
        #expect(state.slots[0].ladder.counts == RecoveryCounts())
        state.observed(.present, on: Self.entry, at: 5_000)
        #expect(Self.step(&state, at: 5_000) == "serve", "a phone comes first")
    }

    /// Asked last at 0, it hangs at once.
    @Test func aReaderThatFallsSilentIsFoundWithinTwoSeconds() {
        var state = Self.inService()
        #expect(Self.step(&state, at: 1_000) == "check")
        state.watcherIsAnswered(at: 1_500)
        guard case .wait(until: 1_750) = state.supervise(at: 1_500) else {
            Issue.record("nobody looks when its time is over")
            return
        }
        #expect(Self.code(state, at: 1_749) == "reader-ready")
        #expect(Self.isNews(&state, at: 1_750) && Self.code(state, at: 1_750) == "reader-recovering")
        #expect(!Self.isNews(&state, at: 1_800), "told once")
        #expect(state.readerStates(at: 1_800)[0]?.message.contains("(reader-silent)") == true)
    }

    /// pcscd hangs: nothing is known of the reader, and its port is none of the matter.
    @Test func aPcscdThatHangsIsNoFaultOfTheReader() {
        var state = Self.inService(withPort: true)
        state.watcherIsAnswered(at: 900)
        state.watcherAsks(at: 901)
        #expect(Self.step(&state, at: 1_000) == "check")
        #expect(!Self.isNews(&state, at: 1_750))
        guard case .wait(let next?) = state.supervise(at: 1_750) else {
            Issue.record("nobody looks again")
            return
        }
        #expect((1_751...1_850).contains(next))
        #expect(Self.isNews(&state, at: 6_901) && Self.code(state, at: 6_901) == "reader-service-silent")
        #expect(!Self.isNews(&state, at: 20_000) && Self.code(state, at: 20_000) == "reader-service-silent")
        #expect(state.nextPort(at: 20_000) == nil)
        state.watcherIsAnswered(at: 21_000)
        state.checked(slot: 0, isAlive: true, at: 21_000)
        #expect(Self.code(state, at: 21_000) == "reader-ready" && state.slots[0].ladder.counts == RecoveryCounts())
    }

    /// Each step is tried by a sign of life, and the next is harsher.
    @Test func itIsBroughtBackStepByStep() {
        var state = Self.inService(withPort: true)
        var now: Int64 = 1_000
        var steps: [String] = []
        state.slots[0].checkNotBefore = now
        while steps.count < 6 {
            now += 1
            let step = Self.step(&state, at: now)
            if step == "check" { state.checked(slot: 0, isAlive: false, at: now) }
            if let rung = RecoveryRung(rawValue: step) {
                steps.append(step)
                state.recovered(slot: 0, rung, at: now)
                #expect(Self.code(state, at: now) == "reader-recovering")
            }
        }
        #expect(steps == ["abort", "reopen", "reauthorise", "reopen", "reauthorise", "reopen"])
        #expect(now < 1_000 + 100 + 200 + 400 + 800 + 1_000 + 100, "the pauses of the ladder, and no more")
        #expect(Self.step(&state, at: now + 1) == "check")
        state.checked(slot: 0, isAlive: true, at: now + 1)
        #expect(Self.code(state, at: now + 1) == "reader-ready")
        #expect(state.slots[0].ladder.counts[.reauthorise] == 2 && state.slots[0].ladder.counts[.restart] == 0)
    }

    @Test func withoutAPortItIsLeftAlone() {
        var state = Self.inService()
        state.checked(slot: 0, isAlive: false, at: 1_000)
        #expect(state.slots[0].ladder.climb?.rung == .abort)
        for (now, rung) in zip(stride(from: Int64(2_000), through: 12_000, by: 2_000), ["abort", "reopen", "reopen", "reopen"]) {
            #expect(Self.step(&state, at: now) == rung)
            state.recovered(slot: 0, rung == "abort" ? .abort : .reopen, at: now)
            state.checked(slot: 0, isAlive: false, at: now + 1)
        }
    }

    /// libccid gives up after its own time and calls the slot empty.
    @Test func aSignThatCameTooLateIsNone() {
        var state = Self.inService()
        #expect(Self.step(&state, at: 1_000) == "check")
        state.watcherIsAnswered(at: 1_900)
        #expect(Self.isNews(&state, at: 2_000))
        state.checked(slot: 0, isAlive: true, at: 4_000)
        #expect(Self.code(state, at: 4_000) == "reader-recovering" && Self.step(&state, at: 4_000) == "abort")
        state.recovered(slot: 0, .abort, at: 4_010)
        #expect(Self.step(&state, at: 4_010) == "check")
        state.checked(slot: 0, isAlive: true, at: 4_020)
        #expect(Self.code(state, at: 4_020) == "reader-ready")
    }

    @Test func nobodyIsServedWhileItIsBroughtBack() {
        var state = Self.inService()
        state.checked(slot: 0, isAlive: false, at: 1_000)
        state.observed(.present, on: Self.entry, at: 1_000)
        #expect(Self.step(&state, at: 1_000) == "abort")
        state.recovered(slot: 0, .abort, at: 1_010)
        #expect(Self.step(&state, at: 1_010) == "check")
        state.checked(slot: 0, isAlive: true, at: 1_020)
        #expect(Self.step(&state, at: 1_020) == "serve")
    }

    /// Its thread is with the driver and can do nothing: somebody else pulls the plug, once in ten seconds.
    @Test func aReaderWhoseCallDoesNotReturnIsSwitchedFromOutside() {
        var state = Self.inService(withPort: true)
        state.slots[0].turn(to: .transmitting(since: 1_000))
        #expect(state.nextPort(at: 10_999) == nil)
        #expect(Self.isNews(&state, at: 11_000) && Self.code(state, at: 11_000) == "reader-stuck")
        #expect(state.nextPort(at: 11_000) == nil, "it may be pcscd that hangs")
        state.watcherIsAnswered(at: 11_100)
        #expect(Self.isNews(&state, at: 11_100) && state.nextPort(at: 11_100) == 0)
        #expect(!Self.isNews(&state, at: 11_200) && state.nextPort(at: 21_099) == nil)
        #expect(Self.isNews(&state, at: 21_100) && state.nextPort(at: 21_100) == 0)
        #expect(state.slots[0].ladder.counts[.reauthorise] == 2)
        // The call returns.
        state.slots[0].ladder.done(.reauthorise, at: 21_200)
        state.slots[0].turn(to: .idle)
        #expect(Self.code(state, at: 21_300) == "reader-recovering" && Self.step(&state, at: 21_300) == "check")
        state.checked(slot: 0, isAlive: true, at: 21_310)
        #expect(Self.code(state, at: 21_310) == "reader-ready")
    }

    @Test func aReaderWithoutAPortIsNotSwitched() {
        var state = Self.inService()
        state.slots[0].turn(to: .transmitting(since: 1_000))
        state.watcherIsAnswered(at: 11_000)
        #expect(Self.isNews(&state, at: 11_000) && state.nextPort(at: 11_000) == nil && !Self.isNews(&state, at: 30_000))
    }
}
