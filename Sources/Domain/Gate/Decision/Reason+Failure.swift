import Credentials

extension Reason {
    /// Whether an unproven presentation that ended like this was refused for something the phone
    /// did, so that it starts the cooldown of T8. A phone that was pulled away or fell silent, a
    /// card that is no phone of ours and a fault of the gate start none: the next try may be right.
    var isRefusalOfPhone: Bool {
        switch self {
        case .granted, .noSiteData, .clockUntrusted, .siteDataStale, .cooldownSuccess, .cooldownFailure, .laneClosed, .busy,
             .laneFault, .readerFault, .auditUnavailable, .timeout, .cardRemoved, .noApplication, .phoneDeclined,
             .outcomeUnknown, .zoneFull, .internalError, .useNFC, .appInBackground, .phoneLocked, .uidOnlyCardsOff:
            false
        case .malformed, .unknownIssuer, .badSignature, .notYetValid, .expired, .wrongAudience, .scopeLacksCommand,
             .beyondCeiling, .revoked, .keyWellKnown, .unknownKey, .wrongKeyUse, .wrongRole, .badProof, .secondFactor, .commandNotAllowed, .wrongCarrier,
             .wrongLane, .protocolVersion, .protocolError, .outsideSchedule, .antiPassback:
            true
        }
    }
}
