import CLinux
import Files
import Threads

/// The descriptors that the radios' thread waits on.
final class RadioWaiting: Sendable {
    static let readable = UInt32(CLINUX_READABLE)

    private let epoll: FileDescriptor

    /// - Parameter bell: is in it from the start.
    init(bell: FileDescriptor) throws(SystemError) {
        epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll_create(), "epoll"))
        try add(bell.raw, Self.readable)
    }

    func add(_ descriptor: Int32, _ events: UInt32) throws(SystemError) {
        _ = try SystemError.check(clinux_epoll_add(epoll.raw, descriptor, events), "epoll")
    }

    func change(_ descriptor: Int32, _ events: UInt32) throws(SystemError) {
        _ = try SystemError.check(clinux_epoll_change(epoll.raw, descriptor, events), "epoll")
    }

    /// Before the descriptor is closed: its number may be another one's at once.
    func remove(_ descriptor: Int32) { _ = clinux_epoll_remove(epoll.raw, descriptor) }

    /// The descriptors that have something.
    func wait(_ loop: Loop, milliseconds: Int32) -> [Int32] {
        var ready = [clinux_ready](repeating: clinux_ready(), count: 16)
        let count = clinux_epoll_wait(epoll.raw, &ready, Int32(ready.count), loop.patience(atMost: milliseconds))
        loop.comesRound()
        return ready[..<max(0, Int(count))].map(\.descriptor)
    }
}
