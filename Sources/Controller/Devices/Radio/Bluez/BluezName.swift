/// Names of bluetoothd's interfaces (doc/org.bluez.*.rst of BlueZ).
enum BluezName {
    static let service = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let applications = "org.bluez.GattManager1"
    static let advertisements = "org.bluez.LEAdvertisingManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let gattService = "org.bluez.GattService1"
    static let characteristic = "org.bluez.GattCharacteristic1"

    static let alreadyExists = "org.bluez.Error.AlreadyExists"
    /// What a phone that has gone is answered for: by bluetoothd, and by its D-Bus library where the object is no more.
    static let goneErrors: Set<String> = [
        "org.bluez.Error.NotConnected", "org.bluez.Error.DoesNotExist",
        "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod"
    ]
}
