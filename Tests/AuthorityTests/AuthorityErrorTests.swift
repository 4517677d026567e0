import Authority
import Credentials
import Cryptography
import Encoding
import Evidence
import SiteData
import Storage
import Testing
import Threads

@Suite("Errors of an authority")
struct AuthorityErrorTests {
    static let errors: [(AuthorityError, String)] = [
        (.noAuthority(folder: "d"), "authority-missing"), (.alreadyThere(folder: "d"), "authority-exists"),
        (.inUse(folder: "d"), "authority-in-use"), (.folderExposed(path: "d", .mode(0o755)), "folder-exposed"),
        (.keyExposed(path: "k", .mode(0o666)), "key-exposed"),
        (.keyWellKnown(thumbprint: [1]), "key-well-known"),
        (.badName("a/b"), "bad-name"), (.gatesThere(name: "main"), "gates-exist"),
        (.noGates(name: "main"), "gates-missing"), (.rotationUnderWay(name: "main"), "rotation-under-way"),
        (.oldKeysNeeded(until: 5), "old-keys-needed"), (.sharedIssuer("a"), "issuer-name-shared"),
        (.issuersChanging, "issuer-rotating"), (.noNewIssuer, "issuer-unchanged"), (.issuerUnpublished("a"), "issuer-unpublished"),
        (.issuerUnused("a"), "issuer-unused"), (.oldIssuerNeeded(until: 5), "old-issuer-needed"), (.issuerThere("a"), "issuer-exists"),
        (.issuerAlike("a", other: "A"), "issuer-alike"), (.noIssuer("a", nearest: "b"), "issuer-missing"), (.issuerIsOurs("a"), "issuer-is-ours"),
        (.issuerNotOff("a", byRules: true), "issuer-not-off"), (.beyondCeiling(issuer: "a", .off), "beyond-ceiling"),
        (.keyOfTwoRoles(path: "k"), "key-of-two-roles"), (.notAPersons(thumbprint: [1]), "key-not-a-persons"),
        (.aPersons(thumbprint: [1]), "key-a-persons"), (.gateToken(.header), "gate-token-header"),
        (.keyFile(path: "k", .armour), "key-file-armour"), (.phoneKey(path: "k", .privateKey), "key-is-private"),
        (.otherKeyIdentifier, "key-identifier-differs"),
        (.wrongRole(path: "k", found: .site, wanted: .phone), "key-wrong-role"), (.wrongCurve, "key-wrong-curve"),
        (.otherUse, "key-other-use"), (.keptFile(path: "k"), "file-kept"), (.keyRevoked(thumbprint: [1]), "key-revoked"), (.subjectRevoked("a"), "subject-revoked"), (.holderTakenBack("a", isBanned: true), "holder-taken-back"),
        (.notSuspended("a", nearest: nil), "not-suspended"), (.notBanned("a", byRules: true), "not-banned"), (.unknown("the subject 'a'", nearest: "b"), "nobody-has-it"), (.otherSubject("a"), "other-subject"),
        (.importRefused(RefusedImport(path: "p", issues: [], count: 1)), "import-refused"),
        (.tooMuchLost(ListLoss(count: 10, total: 10)), "list-takes-much"), (.cardNumber(.random), "bad-uid"), (.cardCommand, "card-command"), (.cardUnknown, "card-unknown"),
        (.badSubject, "bad-subject"), (.badAudience("a"), "bad-audience"), (.badCommand("a"), "bad-command"),
        (.badKeyIdentifier, "bad-key-identifier"), (.badTimes, "times-out-of-order"), (.listEntry("It is wrong."), "list-entry-malformed"),
        (.token(.tooLong), "token-too-long"), (.credential(.notAKey), COSEError.notAKey.code),
        (.notAGateList(path: "g"), "gate-list-malformed"), (.notAStatus(path: "s"), "status-malformed"), (.evidence(.malformed), "evidence-malformed"),
        (.line(1, code: "x", message: "It is wrong."), "list-line-refused"), (.publication(.badSignature), "publication-bad-signature"),
        (.cryptography(.wrongLength), "wrong-length"), (.system(SystemError("open x", 2)), "system-call-failed"),
        (.storage(StorageError(.diskFull, "It is full.")), "disk-full")
    ] + [NameRule.flaw(in: "a\u{1B}").map { (AuthorityError.forbiddenName("a\u{1B}", $0), "name-forbidden") }].compactMap { $0 }

    @Test(arguments: errors)
    func eachHasAStableCodeAndASentence(error: AuthorityError, code: String) {
        #expect(error.code == code)
        #expect(error.message.hasSuffix(".") && error.message.count > 5)
    }

    @Test func noTwoShareACode() {
        #expect(Set(Self.errors.map(\.1)).count == Self.errors.count)
    }
}
