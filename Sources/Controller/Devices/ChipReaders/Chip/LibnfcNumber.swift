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
