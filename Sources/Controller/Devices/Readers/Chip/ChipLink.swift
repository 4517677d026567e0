import CLinux
import Files
import Threads

/// The link of one presentation at a PN532. It is dead when the presentation ends, when its deadline has passed, or when it was
/// invalidated; unlike a call into PC/SC the wait for an answer ends then.
///
/// The reader's thread transmits and closes, whoever stops invalidates. `life` guards until when it lives; nothing is called under it.
final class ChipLink: Link {
    private struct Life {
        var deadline: Int64?
        var hasEnded = false
    }

    private let server: ChipReaderServer
    private let bell: ChipBell
    private let life = Mutex(Life())
    let mayBeTheSame: Bool

    init(_ server: ChipReaderServer, bell: ChipBell, mayBeTheSame: Bool) {
        self.server = server
        self.bell = bell
        self.mayBeTheSame = mayBeTheSame
    }

    func transmit(_ command: [UInt8]) throws(LinkError) -> [UInt8] {
        guard isOpen(at: MonotonicTime.milliseconds) else { throw .timedOut }
        let answer = Result { () throws(LinkError) in try server.exchange(command, for: self) }
        guard isOpen(at: MonotonicTime.milliseconds) else { throw .timedOut }
        return try answer.get()
    }

    func close(atMonotonicMilliseconds deadline: Int64) {
        life.withLock { $0.deadline = min($0.deadline ?? deadline, deadline) }
        bell.ring()
    }

    func invalidate() {
        life.withLock { $0.hasEnded = true }
        bell.ring()
    }

    func isOpen(at now: Int64) -> Bool {
        life.withLock { life in !life.hasEnded && life.deadline.map { now < $0 } ?? true }
    }

    /// When it is dead at the latest.
    var deadline: Int64? { life.withLock(\.deadline) }
}

/// Wakes the thread of a PN532. Anybody may ring it, and ringing never blocks.
final class ChipBell: Sendable {
    private let event: FileDescriptor

    init() throws(SystemError) {
        event = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
    }

    func ring() { _ = clinux_eventfd_raise(event.raw) }

    /// Waits until somebody rings, until something has come over that connection, or so many milliseconds (-1 for ever).
    func wait(_ connection: Int32?, milliseconds: Int32) {
        let descriptors = [event.raw, connection ?? -1]
        _ = clinux_poll_any(descriptors, connection == nil ? 1 : 2, milliseconds)
        _ = clinux_eventfd_clear(event.raw)
    }
}
