import Threads
import Waits

@testable import Radio

/// Radios on a private bus, with everything that their client is told.
final class RadioBench: RadioClient {
    enum Event: Hashable, Sendable {
        case state(String, String)
        case settings([String])
        case opened(RadioLink)
        case closed(RadioLink)
        case wrote([UInt8], RadioLink)
        case read(RadioLink)
        case strength(Int8?, RadioLink)
        case due(Int64)
        case note(String, String)
    }

    /// What the client does; functions in a lock have a type around them.
    struct Manners: Sendable {
        var wrote: @Sendable (RadioBench, [UInt8], RadioLink, WriteAnswer) -> Void = { $3.accept() }
        var read: @Sendable (RadioLink) -> ReadResult = { _ in .refused(0x80) }
    }

    static let serviceUUID = "00005301-0010-002a-426c-756549442a00"
    static let characteristicUUID = "00005302-0010-002a-426c-756549442a00"

    let events = EventLog<Event>()
    let bus: PrivateBus
    let bluez: ScriptedBluez
    private let manners = Mutex(Manners())
    private let dueAt = Mutex<Int64?>(nil)
    private let running = Mutex<Radios?>(nil)

    /// - Parameter radios: names, and addresses where they have one.
    init(_ radios: [(String, String?)] = [("entry", nil)], startsBus: Bool = true, ways: [any SignalWay] = [],
         folder: String = "/nowhere", settlingMilliseconds: Int64 = 50, wantsStrength: Bool = false,
         patience: RadioPatience = RadioPatience(), loops: Loops = Loops()) throws {
        bus = try PrivateBus()
        if startsBus { try bus.start() }
        bluez = try ScriptedBluez(bus.address)
        let bindings = radios.map { name, address in
            RadioBinding(name: name, address: address, serviceUUID: Self.serviceUUID, characteristicUUID: Self.characteristicUUID,
                         localName: "Works \(name)", wantsStrength: wantsStrength)
        }
        let events = events
        var settings = RadioThreadSettings(bindings: bindings, bus: .address(bus.address), client: self) { events.record(.note($1.code, $1.message)) }
        settings.ways = ways
        settings.adapterFolder = folder
        settings.settlingMilliseconds = settlingMilliseconds
        settings.patience = patience
        let made = try Radios(settings, loops: loops)
        running.withLock { $0 = made }
    }

    /// Radios on the air, with the usual bluetoothd.
    static func onAir(_ radios: [(String, String?)] = [("entry", nil)], ways: [any SignalWay] = [],
                      patience: RadioPatience = RadioPatience(), loops: Loops = Loops()) async throws -> RadioBench {
        let bench = try RadioBench(radios, ways: ways, patience: patience, loops: loops)
        try await bench.bluez.start { $0.addAdapter() }
        try bench.radios.start()
        for (name, _) in radios { try await bench.events.next(.state(name, "radio-ready")) }
        return bench
    }

    var radios: Radios {
        get throws {
            guard let radios = running.withLock({ $0 }) else { throw PrivateBus.NotStarted() }
            return radios
        }
    }

    /// Ends everything.
    func stop() {
        running.withLock { radios in
            defer { radios = nil }
            return radios
        }?.stop()
        bluez.stop()
    }

    func behave(_ change: @Sendable (inout Manners) -> Void) { manners.withLock { change(&$0) } }

    func setDue(_ time: Int64?) throws {
        dueAt.withLock { $0 = time }
        try radios.wake()
    }

    /// A phone connects; its link.
    func link(_ number: Int = 1, at adapter: String = ScriptedBluez.hci0) async throws -> RadioLink? {
        bluez.connect(ScriptedBluez.phone(number, at: adapter))
        let event = try await events.next("a link that opens") { if case .opened = $0 { true } else { false } }
        return if case .opened(let link) = event { link } else { nil }
    }

    // The client --------------------------------------------------------------------------------

    func radio(_ name: String, is state: RadioState) { events.record(.state(name, state.code)) }
    func settings(_ findings: [BluetoothFinding]) { events.record(.settings(findings.map(\.code))) }
    func opened(_ link: RadioLink) { events.record(.opened(link)) }
    func closed(_ link: RadioLink) { events.record(.closed(link)) }

    func wrote(_ value: [UInt8], on link: RadioLink, answer: WriteAnswer) {
        events.record(.wrote(value, link))
        manners.withLock(\.wrote)(self, value, link, answer)
    }

    func read(on link: RadioLink) -> ReadResult {
        events.record(.read(link))
        return manners.withLock(\.read)(link)
    }

    func strength(_ dBm: Int8?, of link: RadioLink) { events.record(.strength(dBm, link)) }
    func nextDue() -> Int64? { dueAt.withLock { $0 } }

    func isDue(at now: Int64) {
        let time = dueAt.withLock { time in
            defer { time = nil }
            return time
        }
        events.record(.due(time ?? 0))
    }
}
