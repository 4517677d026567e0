/// Over which carriers a lane serves phones (T2).
public enum CarrierPolicy: String, Hashable, Sendable, CaseIterable {
    /// NFC. While no NFC reader of the lane is in service, BLE for all; otherwise for phones that have no NFC, and for
    /// people who start it in the app.
    case nfcFirst = "nfc-first"
    /// NFC and nothing else.
    case nfcOnly = "nfc-only"
    /// BLE and nothing else.
    case bleOnly = "ble-only"
    /// Whichever comes first.
    case both
}
