/// Which device a reader is, by what drives it (T3).
public enum ReaderDeviceSettings: Hashable, Sendable {
    /// pcscd: found among its readers; `nameContains` narrows the match to those whose name contains it.
    case pcsc(ReaderMatchSettings, nameContains: String?)
    /// A PN532 chip.
    case pn532(ChipSettings)

    /// What drives it.
    public var type: ReaderType {
        switch self {
        case .pcsc: .pcsc
        case .pn532: .pn532
        }
    }
}
