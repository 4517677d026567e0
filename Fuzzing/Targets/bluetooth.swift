// with: Sources/Phone/VirtualPhone/Bluetooth/@(BluetoothAddress|BluetoothUUID|GateService|LittleEndianReader).swift
// with: Sources/Phone/VirtualPhone/Bluetooth/ATT/*.swift
// with: Sources/Phone/VirtualPhone/Bluetooth/Scan/*.swift

/// What a phone reads over Bluetooth: advertisements and sightings of anybody, the kernel's events, and whatever a gate says
/// in the Attribute Protocol. The first byte chooses a procedure; then PDUs, before each its length, one byte.
func fuzz(_ input: [UInt8]) {
    converse(input)
    listen(input)
}

private let handle: UInt16 = 3
private let procedures: [ATTProcedure] = [
    .exchangeMTU, .find(service: GateService.onTouch.uuid, characteristic: nil),
    .find(service: BluetoothUUID(short: 0x1800), characteristic: BluetoothUUID(short: 0x2A00)), .write(handle, value: [1, 2, 3]),
    .write(handle, value: [UInt8](repeating: 7, count: 500)), .writePrepared(handle, value: [1, 2, 3], offset: 5), .read(handle)
]

/// One procedure after the other, as long as the gate speaks.
private func converse(_ input: [UInt8]) {
    var rest = input[...]
    var client = ATTClient(wantedMTU: 185)
    while let choice = rest.popFirst() {
        var action = client.start(procedures[Int(choice) % procedures.count])
        while true {
            precondition((23...185).contains(client.mtu), "the phone agrees to nothing that it did not offer")
            switch action {
            case .send(let pdu): precondition(!pdu.isEmpty && pdu.count <= max(client.mtu, 23), "a PDU fits")
            case .listen: break
            case .finish(.value(let value)): precondition(value.count <= 512, "a value is bounded")
            case .finish(.found(let handle)): precondition(handle > 1, "a value follows its declaration")
            case .finish(.agreed(let mtu)): precondition(mtu == client.mtu, "what was agreed counts")
            case .finish(.written), .finish(.failed): break
            }
            if case .finish = action { break }
            guard let count = rest.popFirst() else { return }
            let pdu = Array(rest.prefix(Int(count)))
            rest = rest.dropFirst(pdu.count)
            action = client.receive(pdu)
        }
    }
}

private func listen(_ input: [UInt8]) {
    let data = AdvertisingData(parsing: input)
    precondition(data.services.count <= input.count / 2, "a service has two bytes at least")
    for uuid in data.services { precondition(BluetoothUUID(uuid.description) == uuid, "a UUID is read as written") }
    if let sighted = SightedDevice(parsing: input) {
        precondition(BluetoothAddress(sighted.address.description)?.bytes == sighted.address.bytes, "an address is read as written")
        var sightings = Sightings(of: [GateService.onTouch.uuid])
        sightings.add(sighted)
        precondition(sightings.gates.isEmpty != sighted.data.services.contains(GateService.onTouch.uuid), "a gate is who says so")
    }
    if let event = ControllerEvent(parsing: input) { precondition(input.count >= 6, "\(event.index) has a head") }
    _ = Adapter(index: 0, parsing: input)
    precondition(Adapter.indices(parsing: input).count <= input.count / 2, "no more adapters than bytes")
}
