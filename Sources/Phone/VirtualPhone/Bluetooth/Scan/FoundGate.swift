/// A gate that was found by its service.
public struct FoundGate: Hashable, Sendable {
    public let address: BluetoothAddress
    /// What it advertises of what was looked for.
    public let service: BluetoothUUID
    /// Its name, where it said one: any text.
    public let localName: String?
    /// Received strength in dBm when it was heard last; nil where the adapter cannot tell.
    public let strength: Int?
}
