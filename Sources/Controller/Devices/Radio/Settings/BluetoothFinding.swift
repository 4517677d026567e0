/// A setting of bluetoothd that phones suffer from.
public struct BluetoothFinding: Hashable, Sendable {
    /// Stable, for operators to search for.
    public let code: String
    /// What it does, and the remedy (T13).
    public let message: String

    init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}
