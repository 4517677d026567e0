import Authority
import Credentials
import Cryptography
import Encoding
import Foundation
import Testing

@Suite("Enrolled keys of an authority")
struct EnrolmentTests {
    let scratch: ScratchFolder
    let authority: Authority

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
    }

    private func enrolled() throws -> [EnrolledKey] {
        var keys: [EnrolledKey] = []
        try authority.forEachEnrolled { key, _ in keys.append(key) }
        return keys
    }

    @Test func aKeyIsNamedByItsThumbprintUnlessToldOtherwise() throws {
        let key = try phoneKey()
        let enrolment = try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "anna"), now: now)
        #expect(enrolment.key.keyIdentifier == Array(key.thumbprint.prefix(8)))
        #expect(!enrolment.isReplacement && enrolment.mayUseKeyIdentifier)
        let rights = Rights(audiences: ["tapstile:north/hall"], scope: ["tokn", "hold"], notBefore: now, expiresAt: now + 9)
        let other = try authority.enrol(
            EnrolmentRequest(key: phoneKey(), use: .agree, subject: "ben", keyIdentifier: [7], rights: rights), now: now)
        #expect(try enrolled() == [enrolment.key, other.key])
        #expect(other.key.keyIdentifier == [7] && other.key.scope == ["tokn", "hold"] && other.key.notBefore == now)
    }

    @Test func anAttestedKeyStaysOneUntilItIsEnrolledAnew() throws {
        var request = EnrolmentRequest(key: try phoneKey(), use: .sign, subject: "anna")
        request.userVerification = true
        #expect(try authority.enrol(request, now: now).key.userVerification)
        #expect(try enrolled().map(\.userVerification) == [true])
        request.userVerification = false
        #expect(try !authority.enrol(request, now: now).key.userVerification)
        #expect(try enrolled().map(\.userVerification) == [false])
    }

    /// The documents' own example once had such keys.
    @Test func aKeyOfExamplesIsNobodys() throws {
        let everybodys = try SigningKey(rawPrivate: [UInt8](repeating: 0, count: 31) + [1], curve: .p256).publicKey
        let refusal = AuthorityError.keyWellKnown(thumbprint: everybodys.thumbprint)
        #expect(throws: refusal) { try authority.enrol(EnrolmentRequest(key: everybodys, use: .sign, subject: "anna"), now: now) }
        #expect(throws: refusal) {
            try authority.issue(TokenRequest(key: everybodys, use: .sign, subject: "anna", rights: Rights(expiresAt: now + 60)), now: now)
        }
        #expect(try enrolled().isEmpty)
    }

    /// The clerk needs a claims set for a key that came by a list.
    @Test func enrollingAgainForAClaimsSetWidensNothing() throws {
        let key = try phoneKey()
        let rights = Rights(audiences: ["tapstile:north/hall"], scope: ["hold"], notBefore: now - 9, expiresAt: now + 9)
        var request = EnrolmentRequest(key: key, use: .sign, subject: "ben", keyIdentifier: [7], rights: rights)
        request.userVerification = true
        let first = try authority.enrol(request, now: now)
        var again = EnrolmentRequest(key: key, use: .sign, subject: "ben")
        again.unsaid = [.audiences, .scope, .notBefore, .expiresAt, .userVerification, .keyIdentifier]
        let second = try authority.enrol(again, now: now + 1)
        #expect(second.key == first.key && second.gains == nil && second.losses == nil)
        // What is said counts.
        again.unsaid.remove(.expiresAt)
        let widened = try authority.enrol(again, now: now + 2)
        #expect(widened.key.expiresAt == nil && widened.key.audiences == rights.audiences)
        #expect(widened.gains?.what.count == 1 && widened.losses == nil)
    }

    @Test func enrollingAgainReplaces() throws {
        let key = try phoneKey()
        _ = try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "anna"), now: now)
        let again = try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "anna maria"), now: now)
        #expect(again.isReplacement)
        #expect(try enrolled().map(\.subject) == ["anna maria"])
        #expect(throws: AuthorityError.otherUse) {
            try authority.enrol(EnrolmentRequest(key: key, use: .agree, subject: "anna"), now: now)
        }
    }

    /// A list with a line too few gives everybody the key of the next one.
    @Test func aKeyThatAListGivesToSomebodyElseIsNamedWithItsHolder() throws {
        let keys = try (0..<2).map { _ in try phoneKey() }
        var warned: [String] = []
        func enrol(_ subjects: [String]) throws {
            let lines = zip(subjects, keys).map { "{\"subject\":\"\($0)\",\"key\":\"\(Hex.encode([4] + $1.x + ($1.y ?? [])))\"}\n" }
            try scratch.write("keys.jsonl", Array(lines.joined().utf8))
            _ = try authority.enrol(listAt: scratch.path("keys.jsonl"), now: now) { line, warning in warned.append("\(line) \(warning.description)") }
        }
        try enrol(["anna", "ben"])
        #expect(warned.isEmpty)
        try enrol(["anna", "carl"])
        #expect(warned == ["2 subject-changed: It was that of 'ben', who has it no more."])
    }

    /// Somebody's export has one end for everybody, and it is over.
    @Test func aListOfKeysThatEndsMuchIsRefusedUntilSomebodyMeansIt() throws {
        let keys = try (0..<12).map { _ in try phoneKey() }
        func enrol(_ rest: String, mostLost: Int?) throws -> Int {
            let lines = keys.enumerated().map { "{\"subject\":\"p\($0)\",\"key\":\"\(Hex.encode([4] + $1.x + ($1.y ?? [])))\"\(rest)}\n" }
            try scratch.write("keys.jsonl", Array(lines.joined().utf8))
            return try authority.enrol(listAt: scratch.path("keys.jsonl"), mostLost: mostLost, now: now).replaced
        }
        #expect(try enrol("", mostLost: 20) == 0)
        let ended = ",\"expires\":\"2025-02-01\""
        #expect(throws: AuthorityError.tooMuchLost(ListLoss(count: 12, total: 12))) { try enrol(ended, mostLost: 20) }
        #expect(try enrolled().allSatisfy { $0.expiresAt == nil })
        #expect(try enrol(ended, mostLost: nil) == 12)
    }

    /// A credential in the form of RFC 9529, 3.2: static Diffie-Hellman key with kid -12, as lakers carries it. The key itself is another one: everybody has theirs.
    @Test func aClaimsSetFromElsewhereIsTakenAsItIs() throws {
        let claims = try Hex.decode(
            "A2026B6578616D706C652E65647508A101A501020241322001215820BBD02BD3AFF45C64D0BA178C460A75EF695565A9B0AA2329236EBC3EB21A019C"
                + "2258209A347B3AB78EC03274DB38A1D812304B5EC8BEEB8FF6DA8F237260C713761270")
        let enrolment = try authority.enrol(EnrolmentRequest(claims: claims), now: now)
        #expect(enrolment.key.subject == "example.edu")
        #expect(enrolment.key.keyIdentifier == [0x32])
        #expect(enrolment.key.use == .agree)
        #expect(enrolment.mayUseKeyIdentifier)
        #expect(enrolment.key.credential == claims)
    }

    @Test func aClaimsSetOfAnotherFormComesByValueOnly() throws {
        let credential = ConfirmedKeyCredential(key: COSEKey(key: try phoneKey(), keyIdentifier: [9], use: .sign), subject: "anna")
        let enrolment = try authority.enrol(EnrolmentRequest(claims: credential.raw), now: now)
        #expect(enrolment.key.use == .sign)
        #expect(!enrolment.mayUseKeyIdentifier)
    }

    @Test func aClaimsSetWithoutSubjectNeedsOne() throws {
        let raw = ConfirmedKeyCredential(key: COSEKey(key: try phoneKey())).raw
        #expect(throws: AuthorityError.badSubject) { try EnrolmentRequest(claims: raw) }
        #expect(try EnrolmentRequest(claims: raw, subject: "anna", use: .sign).use == .sign)
        let signing = ConfirmedKeyCredential(key: COSEKey(key: try phoneKey(), use: .sign), subject: "anna").raw
        #expect(throws: AuthorityError.otherUse) { try EnrolmentRequest(claims: signing, use: .agree) }
        #expect(throws: AuthorityError.credential(.notAKey)) { try EnrolmentRequest(claims: [0xA0]) }
    }

    @Test func whatGatesWouldNotTakeIsRefused() throws {
        let key = try phoneKey()
        #expect(throws: AuthorityError.badSubject) { try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: ""), now: now) }
        #expect(throws: AuthorityError.badKeyIdentifier) {
            try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "a", keyIdentifier: []), now: now)
        }
        #expect(throws: AuthorityError.badKeyIdentifier) {
            try authority.enrol(
                EnrolmentRequest(key: key, use: .sign, subject: "a", keyIdentifier: [UInt8](repeating: 1, count: 65)), now: now)
        }
        let ed25519 = try SigningKey.generate(.ed25519).publicKey
        #expect(throws: AuthorityError.wrongCurve) {
            try authority.enrol(EnrolmentRequest(key: ed25519, use: .sign, subject: "a"), now: now)
        }
        let half = try PublicKey(curve: .p256, x: key.x, y: nil)
        #expect(throws: AuthorityError.wrongCurve) {
            try authority.enrol(EnrolmentRequest(key: half, use: .agree, subject: "a"), now: now)
        }
        #expect(throws: AuthorityError.badTimes) {
            try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "a", rights: Rights(notBefore: 5, expiresAt: 5)), now: now)
        }
        // The last second that can be written is in the year 9999.
        let last: Int64 = 253_402_300_799
        for rights in [Rights(expiresAt: last + 1), Rights(notBefore: last, expiresAt: last + 2_592_000), Rights(notBefore: last + 1)] {
            #expect(throws: AuthorityError.timesTooLate) { try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "a", rights: rights), now: now) }
        }
        _ = try authority.revoke(.key(thumbprint: key.thumbprint), now: now)
        #expect(throws: AuthorityError.keyRevoked(thumbprint: key.thumbprint)) {
            try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "a"), now: now)
        }
        _ = try authority.revoke(.subject("anna"), now: now)
        #expect(throws: AuthorityError.subjectRevoked("anna")) {
            try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: "anna"), now: now)
        }
        #expect(try enrolled().isEmpty)
    }
}

extension PublicKey {
    /// As in lists: an uncompressed point.
    var point: String { "04" + Hex.encode(x) + Hex.encode(y ?? []) }
}
