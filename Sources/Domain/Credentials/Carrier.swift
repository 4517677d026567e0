/// The way a phone reaches the gate. It is bound into the transcript of the exchange, so that a
/// conversation held over one carrier cannot be replayed into another.
public enum Carrier: String, Sendable, Hashable, CaseIterable {
    /// ISO-DEP through a PC/SC reader or a PN532.
    case nfc
    /// GATT through BlueZ.
    case ble
}
