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

/// In which state a phone must be that wants to pass over BLE. It is what the phone says of itself: a convenience against
/// gates that open by themselves, no proof (that is the second factor, V6).
public enum PhoneRequirement: String, Hashable, Sendable, CaseIterable {
    /// In any: the phone stays in the pocket.
    case none
    /// The app is in front.
    case foreground
    /// The screen is unlocked.
    case unlocked
}

/// Over which carriers a lane serves phones (T2).
public enum CarrierPolicy: String, Hashable, Sendable, CaseIterable {
    /// NFC. While no NFC reader of the lane is in service, BLE for all; otherwise for phones that have no NFC, and for
    /// people who start it in the app.
    case nfcFirst = "nfc-first"
    /// NFC and nothing else.
    case nfcOnly = "nfc-only"
    /// BLE and nothing else.
    case bleOnly = "ble-only"
    /// Whichever comes first.
    case both
}

/// How a phone reaches the gate, and what it says of itself, as it signed it.
public struct PhoneSituation: Hashable, Sendable {
    /// The carrier it came over.
    public let carrier: Carrier
    /// Whether it can do NFC.
    public let canUseNFC: Bool
    /// Whether a person started it in the app, rather than the phone by itself.
    public let isManual: Bool
    /// Whether its app is in front.
    public let isForeground: Bool
    /// Whether its screen is unlocked.
    public let isUnlocked: Bool

    public init(carrier: Carrier, canUseNFC: Bool, isManual: Bool, isForeground: Bool, isUnlocked: Bool) {
        self.carrier = carrier
        self.canUseNFC = canUseNFC
        self.isManual = isManual
        self.isForeground = isForeground
        self.isUnlocked = isUnlocked
    }
}

/// Whether a lane serves a phone in the way in which it came.
public enum CarrierVerdict: Hashable, Sendable {
    /// It does.
    case served
    /// It does not: the person can fix that, and tries again.
    case refused(Reason)
}
