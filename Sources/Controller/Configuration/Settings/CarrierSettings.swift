/// Over which carriers a lane serves phones, and which of them over BLE: part of `[[lane]]`.
public struct CarrierSettings: Hashable, Sendable {
    /// T2; without a radio the lane is served over NFC.
    public var carriers: CarrierSetting
    /// What a phone must say of itself over BLE.
    public var bleRequirement: BLERequirement
    /// T5: how strong a phone that is near is heard. dBm.
    public var thresholdDBm: Int
    /// T5: how long a phone may take to come near. Milliseconds.
    public var windowMilliseconds: Int

    public init(carriers: CarrierSetting = .nfcFirst, bleRequirement: BLERequirement = .none, thresholdDBm: Int = -60,
                windowMilliseconds: Int = 300) {
        self.carriers = carriers
        self.bleRequirement = bleRequirement
        self.thresholdDBm = thresholdDBm
        self.windowMilliseconds = windowMilliseconds
    }
}

/// Over which carriers a lane serves phones (T2).
public enum CarrierSetting: String, Hashable, Sendable, CaseIterable {
    /// NFC, and BLE for phones without NFC and for people who start it in the app, or for all while no reader is in service.
    case nfcFirst = "nfc-first"
    case nfcOnly = "nfc-only"
    case bleOnly = "ble-only"
    /// Whichever comes first.
    case both
}

/// What a phone must say of itself over BLE.
public enum BLERequirement: String, Hashable, Sendable, CaseIterable {
    case none
    /// Its app is in front.
    case foreground
    /// Its screen is unlocked.
    case unlocked
}
