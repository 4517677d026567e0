/// What drives a reader.
public enum ReaderType: String, Sendable, CaseIterable {
    /// pcscd: any CCID reader.
    case pcsc
}
