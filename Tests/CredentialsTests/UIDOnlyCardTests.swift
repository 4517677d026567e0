import Credentials
import Testing
import Vocabulary

@Suite("UID-only cards (V8)") struct UIDOnlyCardTests {
    let now: Int64 = 1_800_000_000
    let place = Place(site: "hq", zone: "lobby", lane: "main")

    static func number(_ bytes: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]) throws -> UIDOnlyCardNumber { try UIDOnlyCardNumber(bytes) }

    // Numbers -----------------------------------------------------------------------------------

    @Test(arguments: 0...12) func aNumberHasFourSevenOrTenBytes(_ count: Int) throws {
        let bytes = [UInt8](repeating: 0x11, count: count)
        if [4, 7, 10].contains(count) {
            #expect(try UIDOnlyCardNumber(bytes).bytes == bytes)
        } else {
            #expect(throws: UIDOnlyCardNumberFlaw.length(count)) { try UIDOnlyCardNumber(bytes) }
        }
    }

    /// Phones make up a number of four bytes each time; of seven bytes it would be a maker's.
    @Test func aRandomNumberIsNoCards() throws {
        #expect(throws: UIDOnlyCardNumberFlaw.random) { try UIDOnlyCardNumber([0x08, 1, 2, 3]) }
        #expect(try UIDOnlyCardNumber([0x08, 1, 2, 3, 4, 5, 6]).bytes.count == 7)
        #expect(try UIDOnlyCardNumber([0x18, 1, 2, 3]).bytes.count == 4)
    }

    /// Of all numbers that differ in three bytes some share what stands for them: nobody finds the number by trying.
    @Test func whatStandsForANumberIsTooLittleToFindIt() throws {
        var seen: Set<[UInt8]> = []
        var isShared = false
        for number in UInt32(0)..<4_096 {
            let bytes: [UInt8] = [0x11, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number), 7]
            let identifier = try UIDOnlyCardNumber(bytes).identifier
            #expect(identifier.count == 32)
            if !seen.insert(identifier).inserted { isShared = true }
        }
        #expect(isShared)
        #expect(seen.count > 3_500, "and most of them differ")
    }

    @Test func aNumberSaysNothingOfItselfInWords() throws {
        let number = try Self.number([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])
        for words in ["\(number)", String(reflecting: number), number.description] { #expect(words == "a number of 7 bytes") }
    }

    // Verification ------------------------------------------------------------------------------

    private func card(audiences: [String] = [], notBefore: Int64? = nil, expiresAt: Int64? = nil) throws -> UIDOnlyCard {
        UIDOnlyCard(number: try Self.number(), subject: "alice", audiences: audiences, notBefore: notBefore, expiresAt: expiresAt)
    }

    private func verify(_ card: UIDOnlyCard?, isRevoked: Bool = false, generation: UInt64 = 1) -> VerificationResult {
        let candidate = card.map { TrustAnswer.CardCandidate(card: $0, isRevoked: isRevoked) }
        let answer = TrustAnswer(issuer: nil, isRevoked: false, enrolled: [], card: candidate, generation: generation, publicationIssuedAt: 0)
        return Verification.verify(card: candidate, answer: answer, clock: ClockReading(seconds: now, trust: .untrusted), place: place)
    }

    @Test func aCardOfTheListIsGoodForOneCommandAndProvesNothing() throws {
        guard case .verified(let credential) = verify(try card()) else { Issue.record("not verified"); return }
        #expect(credential.assurance == .low)
        #expect(!credential.userVerification)
        #expect(credential.identifier == (try card()).number.identifier)
        #expect(credential.subject == "alice")
    }

    @Test func itIsRefusedLikeAKey() throws {
        #expect(verify(nil) == .refused(.unknownKey))
        #expect(verify(try card(), generation: 0) == .refused(.noSiteData))
        #expect(verify(try card(notBefore: now + 1)) == .refused(.notYetValid))
        #expect(verify(try card(expiresAt: now)) == .refused(.expired))
        #expect(verify(try card(audiences: ["tapstile:elsewhere"])) == .refused(.wrongAudience))
        #expect(verify(try card(), isRevoked: true) == .refused(.revoked))
    }

    @Test func theFirstFaultIsTold() throws {
        #expect(verify(try card(audiences: ["tapstile:elsewhere"], expiresAt: now), isRevoked: true) == .refused(.expired))
    }
}
