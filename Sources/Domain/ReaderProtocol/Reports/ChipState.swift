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

    init(_ fields: inout FrameFields) throws(ReaderFrameError) {
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
