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

/// A step that is to be asked of bluetoothd for an adapter.
struct RadioRequest: Hashable, Sendable {
    let step: RadioStep
    /// The adapter's path.
    let adapter: String
    /// Counts the requests of a radio: an answer to an earlier one is not for the present.
    let number: UInt64
}

/// How one request to bluetoothd stands. Times are monotonic milliseconds.
enum RadioAttempt: Hashable, Sendable {
    /// It is made at that time.
    case due(at: Int64)
    /// It was made, and has that number; it counts as failed when it is not answered by then.
    case asked(RadioStep, number: UInt64, until: Int64)
    /// It was refused, and is made again at that time.
    case refused(until: Int64)

    /// When something is to be done about it.
    var end: Int64 {
        switch self {
        case .due(let time), .asked(_, _, let time), .refused(let time): time
        }
    }
}
