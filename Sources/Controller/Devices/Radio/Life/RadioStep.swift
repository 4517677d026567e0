/// What a radio asks of bluetoothd, one after the other, to be on the air.
enum RadioStep: Hashable, Sendable {
    /// Nobody who connects is asked to pair.
    case forbidPairing
    /// The service and its characteristic.
    case registerApplication
    /// Whatever may be left of an earlier advertisement.
    case unregisterAdvertisement
    case registerAdvertisement

    /// The method, for people.
    var name: String {
        switch self {
        case .forbidPairing: "Pairable"
        case .registerApplication: "RegisterApplication"
        case .unregisterAdvertisement: "UnregisterAdvertisement"
        case .registerAdvertisement: "RegisterAdvertisement"
        }
    }
}
