// with: Sources/Controller/Devices/Radio/Bluez/DeviceAddress.swift
// with: Sources/Controller/Devices/Radio/Signal/@(StrengthEvent|ConnectionInformation).swift
// with: Sources/Controller/Devices/Radio/Settings/@(SettingsFile|BluetoothFinding|BluetoothSettings).swift

/// No input stops the readers of what adapters and the kernel answer, nor that of bluetoothd's settings.
func fuzz(_ input: [UInt8]) {
    guard let kind = input.first else { return }
    let rest = input.dropFirst()
    switch kind {
    case 0: readAdapter(rest)
    case 1: readKernel(rest)
    default: readSettings(String(decoding: rest, as: UTF8.self))
    }
}

func readAdapter(_ packet: ArraySlice<UInt8>) {
    guard let event = StrengthEvent(packet) else { return }
    precondition(packet.count >= 10, "an answer is whole")
    precondition(event.handle <= 0x0FFF, "a handle has 12 bits")
    precondition(event.dBm == nil || event.dBm == Int8(bitPattern: packet[packet.startIndex + 9]), "the strength is the last byte")
}

func readKernel(_ packet: ArraySlice<UInt8>) {
    guard let told = ConnectionInformation(packet) else { return }
    precondition(!ConnectionInformation.isPermissionDenied(packet) || told.dBm == nil, "a refusal tells no strength")
    guard let again = DeviceAddress(told.address.description, isRandom: told.address.isRandom) else {
        preconditionFailure("an address is read as written")
    }
    precondition(again == told.address, "the same address")
    precondition(ConnectionInformation.request(again, adapter: told.adapter).count == 13, "a request has its length")
}

func readSettings(_ text: String) {
    let findings = BluetoothSettings.findings(text, file: "f")
    precondition(Set(findings.map(\.code)).count == findings.count, "each finding is said once")
    if SettingsFile(text) == nil { precondition(!findings.isEmpty, "a file that cannot be read has no settings") }
}
