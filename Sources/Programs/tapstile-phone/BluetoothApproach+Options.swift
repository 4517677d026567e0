import CommandLineOptions
import PhoneTool
import VirtualPhone

extension BluetoothApproach {
    /// The adapter, the gate and the service that options name.
    /// - Parameter services: by what the site's gates are found, where the wallet knows it.
    init(_ command: ParsedCommand, services: [String] = []) throws(CommandLineError) {
        self.init(adapter: try Self.adapter(command), address: try Self.address(command), service: try Self.service(command, services))
    }

    private static func adapter(_ command: ParsedCommand) throws(CommandLineError) -> AdapterName {
        guard let text = command.value("adapter") else { return .any }
        guard let name = AdapterName(text) else {
            throw .badValue(option: "adapter", value: text, wanted: "the number or the address of a Bluetooth adapter")
        }
        return name
    }

    private static func address(_ command: ParsedCommand) throws(CommandLineError) -> BluetoothAddress? {
        guard let text = command.value("address") else { return nil }
        guard let address = BluetoothAddress(text) else {
            throw .badValue(option: "address", value: text, wanted: "an address such as \(BluetoothAddress.form)")
        }
        return address
    }

    private static func service(_ command: ParsedCommand, _ services: [String]) throws(CommandLineError) -> BluetoothUUID {
        guard let text = command.value("service") else {
            let usual = command.has("classic") ? GateService.classic.uuid : GateService.onTouch.uuid
            let known = services.compactMap { BluetoothUUID($0) }
            // A site whose gates have none of the usual ones.
            return known.contains(usual) || command.has("classic") ? usual : known.first ?? usual
        }
        try command.refuse(["classic"], beside: "service")
        guard let uuid = BluetoothUUID(text) else {
            throw .badValue(option: "service", value: text, wanted: "a UUID such as \(GateService.onTouch.uuid)")
        }
        return uuid
    }
}
