import CNFC
import Encoding
import Glibc

// Drives libnfc as its arguments say, one after the other, and says what came of each:
//   nfc-probe CONNSTRING [STEP …]
//     initiator         nfc_initiator_init, and three tries for each search
//     time-out MS       how long the chip waits for an answer on the air
//     field on|off      the antenna
//     announce HEX      a frame of which no answer is expected
//     select            look for a card
//     send HEX          a command APDU
//     raw HEX           a command to the chip itself, of which the status is told
//     ping              whether the card is still there
//     close, open       the device
// It dies where libnfc does.

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    Hex.encode(bytes).uppercased()
}

func bytes(_ text: String) -> [UInt8] { (try? Hex.decode(text)) ?? [] }

struct Probe {
    let context: OpaquePointer
    let device: OpaquePointer

    private static let longestAnswer = 264
    private static let exchangeMilliseconds: Int32 = 2_000

    func run(_ step: String, _ more: inout ArraySlice<String>) -> String {
        switch step {
        case "initiator":
            let begun = nfc_initiator_init(device)
            return "\(begun) \(nfc_device_set_property_bool(device, NP_INFINITE_SELECT, false))"
        case "time-out": return "\(nfc_device_set_property_int(device, NP_TIMEOUT_COM, Int32(more.removeFirst()) ?? 0))"
        case "field": return "\(nfc_device_set_property_bool(device, NP_ACTIVATE_FIELD, more.removeFirst() == "on"))"
        case "announce": return announce(bytes(more.removeFirst()))
        case "select": return select()
        case "send": return exchange(bytes(more.removeFirst()))
        case "raw": return raw(bytes(more.removeFirst()))
        case "ping": return "\(nfc_initiator_target_is_present(device, nil))"
        default: return "what?"
        }
    }

    private func announce(_ frame: [UInt8]) -> String {
        nfc_device_set_property_bool(device, NP_EASY_FRAMING, false)
        defer { nfc_device_set_property_bool(device, NP_EASY_FRAMING, true) }
        return exchange(frame)
    }

    private func exchange(_ command: [UInt8]) -> String {
        var answer = [UInt8](repeating: 0, count: Self.longestAnswer)
        let count = nfc_initiator_transceive_bytes(device, command, command.count, &answer, answer.count, Self.exchangeMilliseconds)
        return count < 0 ? "\(count)" : hexadecimal(answer.prefix(Int(count)))
    }

    private func raw(_ command: [UInt8]) -> String {
        var answer = [UInt8](repeating: 0, count: Self.longestAnswer)
        return "\(pn53x_transceive(device, command, command.count, &answer, answer.count, 500))"
    }

    private func select() -> String {
        var card = cnfc_card()
        let found = cnfc_select(device, &card)
        guard found > 0 else { return "\(found)" }
        let identifier = withUnsafeBytes(of: card.identifier) { hexadecimal($0.prefix(Int(card.identifier_length))) }
        let ats = withUnsafeBytes(of: card.answer_to_select) { hexadecimal($0.prefix(Int(card.answer_to_select_length))) }
        let answer = withUnsafeBytes(of: card.answer_to_request) { hexadecimal($0) }
        return "\(answer) \(hexadecimal([card.select_acknowledge])) \(identifier) \(ats)"
    }
}

func write(_ words: String) {
    print(words)
    fflush(nil)
}

var arguments = CommandLine.arguments.dropFirst()
guard let name = arguments.popFirst() else { exit(2) }
var context: OpaquePointer?
nfc_init(&context)
guard let context else { exit(3) }

func open() -> Probe? {
    guard let device = nfc_open(context, name) else {
        write("open failed")
        return nil
    }
    write("open \(String(cString: nfc_device_get_name(device)))")
    return Probe(context: context, device: device)
}

var probe = open()
while let step = arguments.popFirst() {
    switch step {
    case "close":
        if let device = probe?.device { nfc_close(device) }
        probe = nil
        write("close")
    case "open": probe = open()
    default: write("\(step) \(probe?.run(step, &arguments) ?? "no device")")
    }
    if probe == nil, step != "close" { break }
}
if let device = probe?.device { nfc_close(device) }
nfc_exit(context)
write("end")
