import CLinux
import CSystemd
import Glibc
import Threads

/// A connection to a bus, for one thread. sd-bus writes, reads and authenticates; messages are fetched one by one, so that no
/// C function ever calls back: `next` whenever the descriptor has one of `events` or `deadline` has come.
final class BusConnection {
    /// sd-bus's own object.
    let raw: OpaquePointer

    /// Begins to connect. Whether anybody is there turns out when messages are fetched.
    /// - Parameter address: as D-Bus writes it, `unix:path=…`; nil is the system's bus.
    init(address: String?) throws(SystemError) {
        raw = if let address { try Self.open(address) } else { try Self.openSystem() }
    }

    deinit { sd_bus_close_unref(raw) }

    private static func openSystem() throws(SystemError) -> OpaquePointer {
        var bus: OpaquePointer?
        _ = try SystemError.check(sd_bus_open_system(&bus), "connect to the system's D-Bus")
        guard let bus else { throw SystemError("connect to the system's D-Bus", EIO) }
        return bus
    }

    private static func open(_ address: String) throws(SystemError) -> OpaquePointer {
        var bus: OpaquePointer?
        let attempt = "connect to the D-Bus at \(address)"
        _ = try SystemError.check(sd_bus_new(&bus), attempt)
        guard let bus else { throw SystemError(attempt, EIO) }
        let answers = [sd_bus_set_address(bus, address), sd_bus_set_bus_client(bus, 1), sd_bus_start(bus)]
        guard let wrong = answers.first(where: { $0 < 0 }) else { return bus }
        sd_bus_close_unref(bus)
        throw SystemError(attempt, wrong)
    }

    /// What to wait on.
    var descriptor: Int32 { sd_bus_get_fd(raw) }

    /// What to wait for; the numbers of poll(2) and epoll(7) are the same.
    var events: UInt32 { UInt32(max(0, sd_bus_get_events(raw))) }

    /// The monotonic milliseconds by which to fetch whatever the descriptor says; nil for never.
    var deadline: Int64? {
        var microseconds: UInt64 = 0
        guard sd_bus_get_timeout(raw, &microseconds) >= 0, microseconds != .max else { return nil }
        return Int64(clamping: microseconds / 1000 + (microseconds % 1000 == 0 ? 0 : 1))
    }

    /// The next message that has come; nil when there is none.
    /// - Throws: when the connection is lost.
    func next() throws(SystemError) -> BusMessage? {
        while true {
            var message: OpaquePointer?
            let progress = try SystemError.check(sd_bus_process(raw, &message), "talk to the D-Bus")
            if let message, let message = BusMessage(owning: message) { return message }
            if progress == 0 { return nil }
        }
    }

    /// Calls a method. Starts nobody that does not run.
    /// - Returns: the number that the answer will name.
    func call(_ destination: String, _ path: String, _ interface: String, _ member: String,
              _ body: [BusValue] = []) throws(SystemError) -> UInt64 {
        var message: OpaquePointer?
        let made = sd_bus_message_new_method_call(raw, &message, destination, path, interface, member)
        _ = try SystemError.check(made, "call \(member)")
        guard let message else { throw SystemError("call \(member)", EIO) }
        defer { sd_bus_message_unref(message) }
        _ = try SystemError.check(sd_bus_message_set_auto_start(message, 0), "call \(member)")
        try BusWriter(message).write(body)
        var number: UInt64 = 0
        _ = try SystemError.check(sd_bus_send(raw, message, &number), "call \(member)")
        return number
    }

    /// Writes what has not gone out yet, before the connection is given up. What comes in meanwhile is for nobody.
    /// - Parameter milliseconds: longer it does not wait for a bus that takes nothing.
    func flush(milliseconds: Int64) {
        let end = MonotonicTime.milliseconds + milliseconds
        while events & UInt32(CLINUX_WRITABLE) != 0 {
            let left = end - MonotonicTime.milliseconds
            guard left > 0, clinux_poll(descriptor, UInt32(CLINUX_WRITABLE), Int32(clamping: left)) > 0 else { return }
            do throws(SystemError) { _ = try next() } catch { return }
        }
    }
}
