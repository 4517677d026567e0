import ReaderProtocol

/// What is wrong with a chip or its port. What a phone does wrong is none of it (`PhoneReply`).
enum ChipError: Error, Hashable, Sendable {
    /// It could not be opened.
    case notOpened(ChipFailure)
    /// Its port has gone while it was open.
    case portGone
    /// It did not answer a command in time.
    case silent
    /// It told of a card that cannot be.
    case babbles
    /// Another thread called the command off.
    case calledOff
    /// What libnfc calls so went wrong; most often the chip's answer was no frame.
    case failed(Int32)

    /// Why a chip that was being opened is not open.
    var failure: ChipFailure {
        switch self {
        case .notOpened(let failure): failure
        case .portGone: .portAbsent
        case .silent, .calledOff: .chipSilent
        case .babbles, .failed: .chipBabbles
        }
    }

    /// libnfc's number for it; 0 where it has none.
    var number: Int32 {
        switch self {
        case .notOpened, .portGone, .babbles: 0
        case .silent: LibnfcNumber.timedOut
        case .calledOff: LibnfcNumber.calledOff
        case .failed(let number): number
        }
    }

    /// What libnfc's negative answer to a command means that no phone has a part in.
    init(number: Int32) {
        switch number {
        case LibnfcNumber.timedOut: self = .silent
        case LibnfcNumber.calledOff: self = .calledOff
        default: self = .failed(number)
        }
    }
}

/// Answers of libnfc that we tell apart (nfc/nfc.h, "Error codes").
enum LibnfcNumber {
    /// NFC_EIO: the chip's bytes are no frame, or the port brings none.
    static let brokenFrame: Int32 = -1
    /// NFC_EINVARG: of an exchange, the chip says that no phone is selected.
    static let invalid: Int32 = -2
    /// NFC_EOVFLOW: an answer is longer than there is room for it.
    static let tooLong: Int32 = -5
    /// NFC_ETIMEOUT: the chip itself was silent.
    static let timedOut: Int32 = -6
    /// NFC_EOPABORTED: `nfc_abort_command`.
    static let calledOff: Int32 = -7
    /// NFC_ETGRELEASED: the phone has gone.
    static let released: Int32 = -10
    /// NFC_ERFTRANS: something went wrong on the air, silence among it.
    static let air: Int32 = -20
    /// NFC_ECHIP: the chip reports an error, such as an answer that is longer than its memory.
    static let chip: Int32 = -90
}
