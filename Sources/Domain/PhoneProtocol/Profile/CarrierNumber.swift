import Credentials

extension Carrier {
    /// The carrier's number in EAD items.
    var number: UInt64 {
        switch self {
        case .nfc: 0
        case .ble: 1
        }
    }

    /// The carrier of a number, nil if there is none.
    init?(number: UInt64) {
        guard let carrier = Carrier.allCases.first(where: { $0.number == number }) else { return nil }
        self = carrier
    }
}
