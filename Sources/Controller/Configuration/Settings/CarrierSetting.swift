/// Over which carriers a lane serves phones (T2).
public enum CarrierSetting: String, Hashable, Sendable, CaseIterable {
    /// NFC, and BLE for phones without NFC and for people who start it in the app, or for all while no reader is in service.
    case nfcFirst = "nfc-first"
    case nfcOnly = "nfc-only"
    case bleOnly = "ble-only"
    /// Whichever comes first.
    case both
}
