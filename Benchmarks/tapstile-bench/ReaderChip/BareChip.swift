import CNFC
import VirtualPhone

/// A PN532 without a gate: libnfc's exchanges in a loop, at a virtual chip of its own.
///
/// `@unchecked Sendable`: made on one thread, then used by the reader's thread alone.
final class BareChip: @unchecked Sendable {
    private let chip: VirtualPN532
    private let device: OpaquePointer
    private var answer = [UInt8](repeating: 0, count: 264)

    /// So long the chip waits for the phone: 819.2 ms, as libnfc names it; and so long libnfc for the chip.
    private static let phoneMilliseconds: Int32 = 1_640
    private static let chipMilliseconds: Int32 = 2_000

    /// - Parameter phone: lies on the chip and is selected.
    init(link: String, timing: PN532Timing, phone: AirPhone) throws {
        chip = try VirtualPN532(link: link, timing: timing)
        chip.present(phone)
        var context: OpaquePointer?
        nfc_init(&context)
        guard let context, let device = nfc_open(context, "pn532_uart:\(link):115200") else { throw BenchError("libnfc does not open a virtual chip") }
        self.device = device
        var card = cnfc_card()
        guard nfc_initiator_init(device) == 0, nfc_device_set_property_bool(device, NP_INFINITE_SELECT, false) == 0,
              nfc_device_set_property_int(device, NP_TIMEOUT_COM, Self.phoneMilliseconds) == 0, cnfc_select(device, &card) == 1
        else { throw BenchError("libnfc finds no phone at a virtual chip") }
    }

    deinit { nfc_close(device) }

    /// Sends the commands one after another. The nanoseconds until each answer was there; nil when one was not what it should be.
    func send(_ steps: [TapRecorder.Step]) -> [Int64]? {
        var times: [Int64] = []
        times.reserveCapacity(steps.count)
        let start = Clock.now
        for step in steps {
            let count = nfc_initiator_transceive_bytes(device, step.command, step.command.count, &answer, answer.count, Self.chipMilliseconds)
            guard Int(count) == step.response.count else { return nil }
            times.append(Clock.now - start)
        }
        return times
    }
}
