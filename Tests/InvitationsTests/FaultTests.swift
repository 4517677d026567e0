import Invitations
import Testing

/// What phones are answered: a code, a status and a sentence each.
@Suite struct FaultTests {
    static let faults: [(InvitationFault, String, Int)] = [
        (.codeUnknown, "code-unknown", 404), (.codeUsed, "code-used", 409), (.codeExpired, "code-expired", 410),
        (.codeWithdrawn, "code-withdrawn", 410), (.notYet(from: 1), "not-yet", 403), (.proofWrong, "proof-wrong", 403),
        (.nonceUnknown, "nonce-unknown", 403), (.clockDiffers(server: 1), "clock-differs", 403), (.keyInUse, "key-in-use", 409),
        (.keyRefused("It is none."), "key-refused", 400), (.keyUnknown, "key-unknown", 404), (.suspended, "suspended", 403),
        (.revoked, "revoked", 403), (.over, "over", 410), (.tooMany(retryAfter: 3), "too-many", 429), (.busy(retryAfter: 3), "busy", 503),
        (.databaseAway, "database-away", 503), (.requestMalformed("It is none."), "request-malformed", 400), (.tooLong, "too-long", 413),
        (.attestationRefused("It is none."), "attestation-refused", 403)
    ]

    @Test(arguments: faults)
    func eachHasAStableCodeAStatusAndASentence(fault: InvitationFault, code: String, status: Int) {
        #expect(fault.code == code && fault.status == status)
        #expect(fault.message.hasSuffix(".") && fault.message.count > 5)
        #expect((fault.retryAfter != nil) == (status == 429 || status == 503))
        #expect(fault.json["error"]?["code"]?.string == code && fault.json["error"]?["message"]?.string == fault.message)
    }

    @Test func noTwoShareACode() { #expect(Set(Self.faults.map(\.1)).count == Self.faults.count) }
}
