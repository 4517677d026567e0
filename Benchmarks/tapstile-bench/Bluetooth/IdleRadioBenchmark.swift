import Glibc
import Radio
import Threads

/// How often the radios' thread wakes while nobody is near: on a bus where nobody is bluetoothd, and on the air. What is left then is
/// what every loop of a gate does, which wakes to say that it can.
struct IdleRadioBenchmark {
    private var milliseconds: Int32 { report.extent.of(10_000, short: 2000) }
    /// How long a radio may take to come to its state.
    private static let patience: Int64 = 20_000_000_000

    let gate: RadioGate
    let folder: String
    let report: Report

    func run() throws {
        report.note("a radio idles twice for \(milliseconds / 1000) s")
        let bus = try PrivateBus(folder: folder)
        defer { bus.stop() }
        let state = Monitor<RadioState?>(nil)
        let radios = try Radios(
            bindings: [RadioBinding(name: RadioGate.name(0), address: RadioGate.address(0), serviceUUID: "00005301-0010-002a-426c-756549442a00",
                                    characteristicUUID: "00005302-0010-002a-426c-756549442a00", localName: "bench")],
            bus: .address(bus.address), client: gate.client { _, now in state.change { $0 = now } })
        try radios.start()
        defer { radios.stop() }
        try record("no-bluetoothd", once: .serviceDown, state)
        let bluez = try ScriptedBluez(bus.address, adapter: RadioGate.address(0))
        defer { bluez.stop() }
        try record("on-air", once: .ready, state)
    }

    private func record(_ name: String, once wanted: RadioState, _ state: Monitor<RadioState?>) throws {
        guard state.wait(untilNanoseconds: Clock.now + Self.patience, { $0 == wanted ? () : nil }) != nil else {
            throw BenchError("a radio is not \(wanted.code): \(String(describing: state.withLock { $0 }?.code))")
        }
        Clock.pause(milliseconds: 1000)
        let facts = ProcessFacts(identifier: getpid())
        let (before, began) = (facts.sleeps(ofThreads: "radio"), Clock.now)
        Clock.pause(milliseconds: milliseconds)
        let sleeps = Double(facts.sleeps(ofThreads: "radio") - before) / Double(Clock.now - began) * 1e9
        guard state.withLock({ $0 }) == wanted, sleeps > 0 else { throw BenchError("a radio did not stay \(wanted.code)") }
        report.add("ble-idle-wake-ups-\(name)", sleeps, "per second", bar: 2)
    }
}
