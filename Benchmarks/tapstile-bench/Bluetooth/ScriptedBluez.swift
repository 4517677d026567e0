import CSystemd
import Synchronization
import Threads

/// A bluetoothd that shows one adapter and grants whatever a radio asks of it, on a thread of its own: enough to be on the air with
/// nobody near.
final class ScriptedBluez: Sendable {
    private static let name = "org.bluez"
    private static let path = "/org/bluez/hci0"
    /// How often it looks whether it is to end, in microseconds.
    private static let round: UInt64 = 100_000

    /// Shared with the thread.
    private final class End: Sendable {
        let isDue = Atomic(false)
    }

    private let end = End()
    private let worker: Worker

    /// Begins to join the bus. Whether it has comes to light by the radio's state.
    /// - Parameter adapter: its address.
    init(_ bus: String, adapter: String) throws {
        worker = try Worker(name: "bluez") { [end] in Self.serve(bus, adapter, until: end) }
    }

    func stop() {
        end.isDue.store(true, ordering: .relaxed)
        worker.join()
    }

    private static func serve(_ address: String, _ adapter: String, until end: End) {
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let bus = made else { return }
        defer { sd_bus_close_unref(bus) }
        guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0, sd_bus_start(bus) >= 0,
              sd_bus_request_name(bus, name, 0) >= 0 else { return }
        while !end.isDue.load(ordering: .relaxed) {
            var message: OpaquePointer?
            guard sd_bus_process(bus, &message) >= 0 else { return }
            if let message {
                answer(message, on: bus, adapter)
                sd_bus_message_unref(message)
            } else if sd_bus_wait(bus, round) < 0 {
                return
            }
        }
    }

    /// Every call succeeds; only the question for the objects has an answer with something in it.
    private static func answer(_ message: OpaquePointer, on bus: OpaquePointer, _ adapter: String) {
        var reply: OpaquePointer?
        guard sd_bus_message_is_method_call(message, nil, nil) > 0, sd_bus_message_new_method_return(message, &reply) >= 0, let reply else { return }
        defer { sd_bus_message_unref(reply) }
        if sd_bus_message_is_method_call(message, nil, "GetManagedObjects") > 0 { show(adapter, in: BusPen(reply)) }
        sd_bus_send(bus, reply, nil)
    }

    private static func show(_ adapter: String, in pen: BusPen) {
        pen.dictionary("oa{sa{sv}}") {
            pen.entry("oa{sa{sv}}") {
                pen.path(path)
                pen.dictionary("sa{sv}") {
                    pen.interface("\(name).Adapter1") {
                        pen.property("Address", "s") { pen.text(adapter) }
                        pen.property("Powered", "b") { pen.flag(true) }
                    }
                    pen.interface("\(name).GattManager1") {}
                    pen.interface("\(name).LEAdvertisingManager1") {}
                }
            }
        }
    }
}
