import CNFC
import ReaderProtocol

/// One PN532 that is open and reads ISO/IEC 14443 type A: the only place where libnfc is called. It belongs to one thread.
///
/// libnfc trusts the chip. A status with bit 7 set, or an ATS of length 0, ends the process: hence the process of its own. What it
/// gives out is held against bounds here, and believed nowhere.
final class ChipDevice {
    private let device: OpaquePointer
    private let port: PortLock
    private let abort: ChipAbort
    private var isOpen = true
    /// What the chip calls its firmware.
    let firmware: ChipFirmware

    /// Opens the chip and sets it up. A chip that says nothing costs about 1.5 s.
    init(_ name: ChipPort, abort: ChipAbort) throws(ChipError) {
        port = try PortLock(name.path)
        guard let device = ChipLibrary.shared.open(name.connection(at: port.path)) else {
            throw .notOpened(port.isGone ? .portAbsent : .chipSilent)
        }
        // libnfc opens what did not tell its version, too; a search would then walk a list that is not there.
        guard cnfc_is_known(device) != 0, let firmware = Self.firmware(of: device) else {
            nfc_close(device)
            throw .notOpened(.chipBabbles)
        }
        self.device = device
        self.abort = abort
        self.firmware = firmware
        abort.concerns(device)
        do throws(ChipError) {
            try prepare()
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Lets the chip sleep, and gives it back.
    func close() {
        guard isOpen else { return }
        isOpen = false
        abort.concerns(nil)
        nfc_close(device)
    }

    /// True when its port has gone.
    var isGone: Bool { port.isGone }

    private func prepare() throws(ChipError) {
        try check(nfc_initiator_init(device))
        // libnfc's "not without end" is three requests for each search. Phones in express mode want one after each announcement.
        try check(nfc_device_set_property_bool(device, NP_INFINITE_SELECT, false))
        try order([0x32, 0x05, 0x00, 0x01, 0x00])
        try setPatience(.polling)
        try setField(false)
    }

    private static let mostFirmwareBytes = 64
    private static let chip = "PN532"

    /// Nil for another chip than ours: libnfc would speak to it as to that one.
    private static func firmware(of device: OpaquePointer) -> ChipFirmware? {
        var text = [CChar](repeating: 0, count: mostFirmwareBytes)
        cnfc_firmware(device, &text, text.count)
        let firmware = ChipFirmware(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        return firmware.text.hasPrefix(chip) ? firmware : nil
    }

    // Orders to the chip --------------------------------------------------------------------------

    /// Switches the antenna.
    func setField(_ isOn: Bool) throws(ChipError) {
        try check(nfc_device_set_property_bool(device, NP_ACTIVATE_FIELD, isOn))
    }

    /// How long the chip waits for phones from now on.
    func setPatience(_ patience: AirPatience) throws(ChipError) {
        try check(nfc_device_set_property_int(device, NP_TIMEOUT_COM, patience.libnfcMilliseconds))
    }

    /// The next raw frame has whole bytes and checksums. After a search in vain the chip's registers are still those of the request, and
    /// libnfc believes that they are as it left them.
    func setWholeFrames() throws(ChipError) {
        try order([0x08, 0x63, 0x02, 0x80, 0x63, 0x03, 0x80, 0x63, 0x3D, 0x00])
    }

    /// Agrees on a bit rate with the phone that was just found. A phone that refuses stays at 106 kbit/s.
    func agree(on rate: ReaderBitRate) throws(ChipError) {
        do throws(ChipError) {
            try order([0x4E, 0x01, rate.rawValue, rate.rawValue])
        } catch {
            guard case .failed(let number) = error, Self.isPhones(number) else { throw error }
        }
    }

    /// A command for which libnfc has no function. Its answer tells nothing but that it was taken.
    private func order(_ command: [UInt8]) throws(ChipError) {
        var answer = [UInt8](repeating: 0, count: Self.longestAnswer)
        try check(pn53x_transceive(device, command, command.count, &answer, answer.count, Self.orderMilliseconds))
    }

    private static let orderMilliseconds: Int32 = 350

    // What is in the field ------------------------------------------------------------------------

    private static let announcingMilliseconds: Int32 = 100

    /// Sends a frame that nobody answers, with its checksum.
    func announce(_ frame: [UInt8]) throws(ChipError) {
        nfc_device_set_property_bool(device, NP_EASY_FRAMING, false)
        defer { nfc_device_set_property_bool(device, NP_EASY_FRAMING, true) }
        var answer = [UInt8](repeating: 0, count: Self.longestAnswer)
        let count = nfc_initiator_transceive_bytes(device, frame, frame.count, &answer, answer.count, Self.announcingMilliseconds)
        if count < 0, !Self.isPhones(count) { throw ChipError(number: count) }
    }

    /// Asks once who is there, and selects one.
    func find() throws(ChipError) -> FoundCard? {
        var card = cnfc_card()
        let found = cnfc_select(device, &card)
        try check(found)
        guard found > 0 else { return nil }
        guard ReportedCard.uidLengths.contains(Int(card.identifier_length)) else { throw .babbles }
        let answer = withUnsafeBytes(of: card.answer_to_request) { UInt16($0[0]) << 8 | UInt16($0[1]) }
        return FoundCard(
            answerToRequest: answer, selectAcknowledge: card.select_acknowledge,
            identifier: withUnsafeBytes(of: card.identifier) { Array($0.prefix(Int(card.identifier_length))) },
            answerToSelect: withUnsafeBytes(of: card.answer_to_select) { Array($0.prefix(Int(card.answer_to_select_length))) })
    }

    /// 264 bytes, their status among them, is all that libnfc has room for.
    private static let longestAnswer = 264
    private static let shortestAnswer = 2

    /// Sends a command APDU to the phone.
    /// - Parameter command: at most 262 bytes: libnfc copies more beyond its own memory.
    func exchange(_ command: [UInt8], patience: AirPatience) throws(ChipError) -> PhoneReply {
        guard ReaderCommand.lengths.contains(command.count) else { return .lost(LibnfcNumber.invalid) }
        var answer = [UInt8](repeating: 0, count: Self.longestAnswer)
        let count = nfc_initiator_transceive_bytes(device, command, command.count, &answer, answer.count, patience.hostMilliseconds)
        guard count >= 0 else {
            guard Self.isPhones(count) else { throw ChipError(number: count) }
            return .lost(count)
        }
        // Shorter than a status word: an error in a later part of an answer shows so.
        guard count >= Self.shortestAnswer else { return .lost(LibnfcNumber.air) }
        return .answer(Array(answer.prefix(Int(count))))
    }

    /// Whether the phone that was selected is still there.
    func isPhoneThere() throws(ChipError) -> Bool {
        let answer = nfc_initiator_target_is_present(device, nil)
        if answer == 0 { return true }
        guard Self.isPhones(answer) else { throw ChipError(number: answer) }
        return false
    }

    /// True where the chip works and says what a phone did, or did not. A phone can bring about each of them.
    private static func isPhones(_ number: Int32) -> Bool {
        [LibnfcNumber.air, LibnfcNumber.released, LibnfcNumber.invalid, LibnfcNumber.tooLong, LibnfcNumber.chip].contains(number)
    }

    private func check(_ answer: Int32) throws(ChipError) {
        guard answer < 0 else { return }
        throw ChipError(number: answer)
    }
}
