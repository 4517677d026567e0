import Credentials
import Testing

@Suite struct ReasonTests {
    @Test func numbersAndCodesAreUnique() {
        #expect(Set(Reason.allCases.map(\.number)).count == Reason.allCases.count)
        #expect(Set(Reason.allCases.map(\.code)).count == Reason.allCases.count)
        #expect(Set(Reason.allCases.map(\.sentence)).count == Reason.allCases.count)
    }

    @Test(arguments: Reason.allCases) func everyReasonComesBackFromItsNumber(_ reason: Reason) {
        #expect(Reason(number: reason.number) == reason)
        #expect((0..<192).contains(reason.number))
        #expect(reason.code.allSatisfy { $0 == "-" || ("a"..."z").contains($0) })
        #expect(reason.sentence.hasSuffix("."))
    }

    @Test func unknownNumbersAreTolerated() {
        #expect(Reason(number: 255) == nil)
        #expect(Reason(number: -1) == nil)
    }

    /// Phones in the field know these by number.
    @Test func numbersNeverChange() {
        let known: [(Reason, Int)] = [
            (.granted, 0), (.malformed, 1), (.unknownIssuer, 2), (.badSignature, 3), (.clockUntrusted, 4), (.notYetValid, 5),
            (.expired, 6), (.wrongAudience, 7), (.scopeLacksCommand, 8), (.revoked, 9), (.unknownKey, 10), (.badProof, 11),
            (.noSiteData, 12), (.siteDataStale, 13), (.wrongKeyUse, 14), (.wrongRole, 15), (.keyWellKnown, 16), (.beyondCeiling, 17), (.cooldownSuccess, 64), (.cooldownFailure, 65),
            (.secondFactor, 66), (.commandNotAllowed, 67), (.laneClosed, 68), (.busy, 69), (.laneFault, 70), (.readerFault, 71),
            (.auditUnavailable, 72), (.outsideSchedule, 73), (.antiPassback, 74), (.zoneFull, 75),
            (.useNFC, 76), (.appInBackground, 77), (.phoneLocked, 78), (.uidOnlyCardsOff, 79),
            (.timeout, 128), (.cardRemoved, 129), (.wrongCarrier, 130), (.wrongLane, 131),
            (.protocolVersion, 132), (.protocolError, 133), (.noApplication, 134), (.outcomeUnknown, 135), (.internalError, 136), (.phoneDeclined, 137)
        ]
        #expect(known.count == Reason.allCases.count)
        for (reason, number) in known { #expect(reason.number == number) }
    }
}
