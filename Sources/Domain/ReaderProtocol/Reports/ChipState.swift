import Encoding

/// How the chip is, as its program sees it.
public enum ChipState: Hashable, Sendable {
    /// It is being opened.
    case opening
    /// It answers, and is polled for phones.
    case open(ChipFirmware)
    /// It could not be opened. It is tried again when the gate says so.
    case failed(ChipFailure)

    private enum Word: UInt8 {
        case opening = 0
        case open = 1
        case failed = 2
    }

    init(_ fields: inout FrameFields) throws(FrameError) {
        switch try fields.choice(Word.self) {
        case .opening: self = .opening
        case .open: self = .open(try ChipFirmware(parsing: fields.others()))
        case .failed: self = .failed(try fields.choice(ChipFailure.self))
        }
    }

    func write(_ text: inout FrameText) {
        switch self {
        case .opening: text.add(Word.opening.rawValue)
        case .open(let firmware):
            text.add(Word.open.rawValue)
            text.add(Array(firmware.text.utf8))
        case .failed(let failure):
            text.add(Word.failed.rawValue)
            text.add(failure.rawValue)
        }
    }
}

/// Why a chip could not be opened.
public enum ChipFailure: UInt8, Hashable, Sendable, CaseIterable {
    /// There is no device of that name.
    case portAbsent = 1
    /// Its program may not use the device.
    case portDenied = 2
    /// Another program uses it.
    case portHeld = 3
    /// The device is there and does not work.
    case portBroken = 4
    /// Nothing answers.
    case chipSilent = 5
    /// What answers is no PN532, or one that has lost its mind.
    case chipBabbles = 6
    /// libnfc knows no such device.
    case deviceUnknown = 7
}

/// What a chip calls its firmware: `PN532 v1.6`. Printable characters of ASCII, for it is shown and logged.
public struct ChipFirmware: Hashable, Sendable {
    public let text: String

    /// The longest.
    public static let mostBytes = 32
    private static let printable: ClosedRange<UInt8> = 0x20...0x7E

    /// What of `text` may be said.
    public init(_ text: String) {
        let said = text.utf8.filter { Self.printable.contains($0) }.prefix(Self.mostBytes)
        self.text = String(decoding: said, as: UTF8.self)
    }

    init(parsing bytes: [UInt8]) throws(FrameError) {
        guard bytes.count <= Self.mostBytes, bytes.allSatisfy({ Self.printable.contains($0) }) else { throw .body("the firmware has no proper name") }
        text = String(decoding: bytes, as: UTF8.self)
    }
}
