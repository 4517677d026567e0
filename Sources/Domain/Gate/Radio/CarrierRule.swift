import Credentials

/// Whom a lane serves over which carrier (T2).
public struct CarrierRule: Hashable, Sendable {
    /// Over which carriers the lane serves phones.
    public let policy: CarrierPolicy
    /// In which state a phone must be over BLE.
    public let requirement: PhoneRequirement

    /// The defaults of T2, but for what is given.
    public init(policy: CarrierPolicy = .nfcFirst, requirement: PhoneRequirement = .none) {
        self.policy = policy
        self.requirement = requirement
    }

    /// Whether a phone is served in the way in which it came.
    /// - Parameter isNFCInService: whether an NFC reader of the lane is in service, in the direction the phone wants.
    public func judge(_ phone: PhoneSituation, isNFCInService: Bool) -> CarrierVerdict {
        switch phone.carrier {
        case .nfc: judgeNFC()
        case .ble: judgeBLE(phone, isNFCInService: isNFCInService)
        }
    }

    private func judgeNFC() -> CarrierVerdict {
        switch policy {
        case .nfcFirst, .nfcOnly, .both: .served
        case .bleOnly: .refused(.wrongCarrier)
        }
    }

    private func judgeBLE(_ phone: PhoneSituation, isNFCInService: Bool) -> CarrierVerdict {
        switch policy {
        // Whoever starts it in the app over BLE has chosen; only what a phone does by itself is sent to the reader.
        case .nfcFirst where isNFCInService && phone.canUseNFC && !phone.isManual: .refused(.useNFC)
        case .nfcOnly: .refused(.useNFC)
        case .nfcFirst, .bleOnly, .both: judgeState(of: phone)
        }
    }

    private func judgeState(of phone: PhoneSituation) -> CarrierVerdict {
        switch requirement {
        case .none: .served
        case .foreground: phone.isForeground ? .served : .refused(.appInBackground)
        case .unlocked: phone.isUnlocked ? .served : .refused(.phoneLocked)
        }
    }
}
