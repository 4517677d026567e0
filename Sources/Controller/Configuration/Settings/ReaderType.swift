/// What drives a reader.
public enum ReaderType: String, Sendable, CaseIterable {
    /// pcscd: any CCID reader.
    case pcsc
    /// A PN532 chip, by a program of its own (`tapstile-nfc`).
    case pn532
}
