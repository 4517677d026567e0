import CLinux
import Files
import Threads

/// What is left for the radios' thread, by others and by the client in the middle of its calls. Leaving something never blocks.
///
/// Any thread leaves, that of the radios empties. `state` guards the letters, and nothing is called under it.
final class RadioMailbox: Sendable {
    enum Letter: Sendable {
        case answer(call: UInt64, WriteAnswer.Verdict)
        case measure(RadioLink, everyMilliseconds: Int64)
        case stopMeasuring(RadioLink)
        case drop(RadioLink)
        case run(Work)
        case stop
    }

    struct Work: Sendable {
        let body: @Sendable () -> Void
    }

    private struct State {
        var letters: [Letter] = []
        /// The thread looks into the mailbox before it waits again: nobody needs to ring.
        var isAwake = false
    }

    let bell: FileDescriptor
    private let state = Mutex(State())

    init() throws(SystemError) {
        bell = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
    }

    func leave(_ letter: Letter) {
        let mustRing = state.withLock { state in
            state.letters.append(letter)
            return !state.isAwake
        }
        if mustRing { _ = clinux_eventfd_raise(bell.raw) }
    }

    /// The thread has woken.
    func wakes() {
        state.withLock { $0.isAwake = true }
    }

    /// What has been left, in its order; empty means that the bell rings for the next letter.
    func empty() -> [Letter] {
        state.withLock { state in
            defer { state.letters = [] }
            if state.letters.isEmpty { state.isAwake = false }
            return state.letters
        }
    }
}
