import AttributeServer
import VirtualPhone

/// Requests of the Attribute Protocol from a phone's first write to the relay, as the phone's own client counts them. What comes before,
/// the MTU and the search for the characteristic, is asked too and not counted.
struct RequestBenchmark {
    let gate: RadioGate
    let phones: PhoneBook
    let report: Report

    func run() throws {
        for mtu in [517, 345, 185] {
            try record("by-value", phones.byValue[0], mtu, bar: mtu < 345 ? 5 : 3)
            try record("by-reference", phones.byReference[0], mtu, bar: 3)
            try record("enrolled-by-kid", phones.enrolled[0], mtu, bar: 3)
        }
    }

    private func record(_ name: String, _ identity: PhoneIdentity, _ mtu: Int, bar: Double) throws {
        report.add("ble-requests-\(name)-mtu-\(mtu)", Double(try requests(identity, mtu)), "requests", bar: bar)
    }

    private func requests(_ identity: PhoneIdentity, _ mtu: Int) throws -> Int {
        let benchTap = try gate.connect()
        let server = AttributeServer.InProcessGate(
            Self.table, mtu: mtu, onWrite: { value, _ in benchTap.write(value) ? nil : Self.refused },
            onRead: { _ in benchTap.read().map { .value($0) } ?? .refused(Self.refused) })
        var link = GateLink(server)
        let deadline = Clock.now + 10_000_000_000
        guard try link.perform(.exchangeMTU, until: deadline) == .agreed(mtu: mtu),
              case .found(let handle) = try link.perform(.find(service: GateService.onTouch.uuid, characteristic: nil), until: deadline)
        else { throw BenchError("the service was not found") }
        let before = link.requests
        var phone = BluetoothPhone(identity: identity)
        guard case .write(let message1) = phone.start(), try link.perform(.write(handle, value: message1), until: deadline) == .written,
              case .value(let message2) = try link.perform(.read(handle), until: deadline),
              case .write(let message3) = phone.received(message2),
              try link.perform(.write(handle, value: message3), until: deadline) == .written
        else { throw BenchError("a phone stopped: \(String(describing: phone.result))") }
        // The relay has moved in the last of them, if it has.
        let requests = link.requests - before
        benchTap.leave()
        guard gate.watch.result != nil else { throw BenchError("a tap over Bluetooth was not granted") }
        return requests
    }

    private static let refused: UInt8 = 0x80

    /// The service with its one characteristic, as gates show it.
    private static var table: AttributeTable {
        let characteristic = BluetoothUUID(0x0000_5302_0010_002A, 0x426C_7565_4944_2A00)
        return AttributeTable([(uuid: GateService.onTouch.uuid.littleEndian, characteristics: [.init(characteristic.littleEndian)])])
    }
}
