/// What bluetoothd tells beside a value: who, and where in the value (doc/org.bluez.GattCharacteristic.rst).
struct AttributeOptions: Hashable, Sendable {
    /// The phone's path.
    let device: String
    let offset: Int

    /// Nil where it does not say who asks.
    init?(_ options: BusValue?) {
        guard let device = options?["device"]?.text else { return nil }
        self.device = device
        offset = options?["offset"]?.unsigned16 ?? 0
    }
}
