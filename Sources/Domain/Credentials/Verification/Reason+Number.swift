extension Reason {
    /// The number that OUTCOME carries. 0 is granted; 1 to 63 the credential, 64 to 127 the lane, 128
    /// to 191 the conversation.
    public var number: Int {
        switch self {
        case .granted: 0
        case .malformed: 1
        case .unknownIssuer: 2
        case .badSignature: 3
        case .clockUntrusted: 4
        case .notYetValid: 5
        case .expired: 6
        case .wrongAudience: 7
        case .scopeLacksCommand: 8
        case .revoked: 9
        case .unknownKey: 10
        case .badProof: 11
        case .noSiteData: 12
        case .siteDataStale: 13
        case .wrongKeyUse: 14
        case .wrongRole: 15
        case .keyWellKnown: 16
        case .beyondCeiling: 17
        case .cooldownSuccess: 64
        case .cooldownFailure: 65
        case .secondFactor: 66
        case .commandNotAllowed: 67
        case .laneClosed: 68
        case .busy: 69
        case .laneFault: 70
        case .readerFault: 71
        case .auditUnavailable: 72
        case .outsideSchedule: 73
        case .antiPassback: 74
        case .zoneFull: 75
        case .useNFC: 76
        case .appInBackground: 77
        case .phoneLocked: 78
        case .uidOnlyCardsOff: 79
        case .timeout: 128
        case .cardRemoved: 129
        case .wrongCarrier: 130
        case .wrongLane: 131
        case .protocolVersion: 132
        case .protocolError: 133
        case .noApplication: 134
        case .outcomeUnknown: 135
        case .internalError: 136
        case .phoneDeclined: 137
        }
    }

    /// The reason with that number; nil for one that this version does not know.
    public init?(number: Int) {
        guard let reason = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = reason
    }

    /// The stable code.
    public var code: String { rawValue }
}
