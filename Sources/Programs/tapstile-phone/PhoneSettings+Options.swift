import CommandLineOptions
import Credentials
import Encoding
import Glibc
import PhoneProtocol
import PhoneTool
import Service
import VirtualPhone

extension PhoneSettings {
    /// The settings that the options of `tap` give.
    init(_ command: ParsedCommand, signs: Bool) throws {
        let method = try command.integer("method", in: 0...3) ?? (signs ? 0 : 3)
        // Methods 0 and 1: the phone signs; 0 and 2: the gate signs (RFC 9528, table 2).
        guard (method < 2) == signs else {
            throw PhoneToolError.methodDoesNotFit(method: method, use: signs ? .sign : .agree)
        }
        if command.has("foreground") { try command.refuse(["background"], beside: "foreground") }
        self.init(gateSigns: method % 2 == 0, suites: try Self.suites(command), carrier: try Self.carrier(command),
                  time: try Self.time(command), connectionIdentifier: try Self.connectionIdentifier(command),
                  lane: command.value("lane"), requestedLane: command.value("lane-request"), moreItems1: try Self.items(command, "ead-1"),
                  moreItems3: try Self.items(command, "ead-3"), command: command.value("command"),
                  trigger: command.has("manual") ? .manual : .automatic, isForeground: command.has("foreground"),
                  isUnlocked: command.has("unlocked"), canUseNFC: !command.has("no-nfc"), language: command.value("language") ?? "en")
    }

    private static func carrier(_ command: ParsedCommand) throws(CommandLineError) -> Carrier {
        guard let text = command.value("carrier") else { return command.has(BluetoothTapCommand.option) ? .ble : .nfc }
        guard let carrier = Carrier(rawValue: text) else {
            throw .badValue(option: "carrier", value: text, wanted: "nfc or ble")
        }
        return carrier
    }

    /// UNIX seconds.
    private static func time(_ command: ParsedCommand) throws(CommandLineError) -> Int64 {
        guard let text = command.value("clock") else { return Int64(Glibc.time(nil)) }
        guard let milliseconds = UTCText.read(text), milliseconds >= 0 else {
            throw .badValue(option: "clock", value: text, wanted: "a time such as 2025-01-31T08:30:00Z")
        }
        return milliseconds / 1000
    }

    private static func connectionIdentifier(_ command: ParsedCommand) throws(CommandLineError) -> [UInt8] {
        guard let text = command.value("connection-id") else { return [0x00] }
        guard let bytes = try? Hex.decode(text), bytes.count <= 16 else {
            throw .badValue(option: "connection-id", value: text, wanted: "up to 16 bytes in hexadecimal")
        }
        return bytes
    }

    private static func items(_ command: ParsedCommand, _ option: String) throws(CommandLineError) -> [EADItem] {
        var items: [EADItem] = []
        for text in command.values(option) {
            guard let item = EADItem(text: text) else {
                throw .badValue(option: option, value: text, wanted: "an item such as 4711:00ff, or 4711! for a critical one")
            }
            items.append(item)
        }
        return items
    }

    private static func suites(_ command: ParsedCommand) throws(CommandLineError) -> [Int] {
        guard let text = command.value("suite") else { return [2] }
        let suites = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard !suites.isEmpty, suites.count <= 7, suites.allSatisfy({ $0.map((0...6).contains) ?? false }) else {
            throw .badValue(option: "suite", value: text, wanted: "a list of suites from 0 to 6, such as 6,5,2")
        }
        return suites.compactMap(\.self)
    }
}
