import Credentials
import Cryptography
import PhoneProtocol
import Readers
import SiteData
import Testing
import VirtualPhone

@testable import Controller

/// A token that was taken back comes again in another form, which anybody can make: with a `kid` added to its
/// unprotected header, with s replaced by n − s, or both.
@Suite("Attack: malleated token (V3, V9)") final class MalleatedTokenAttackTests: TokenHolder {
    private func tap(_ credential: PhoneCredential, beside token: [UInt8]? = nil) throws -> Reason? {
        let phone = TestPhone(PhoneIdentity(credential: credential, key: .signing(key), accompanyingToken: token, gates: try site.gates))
        _ = controller.present(phone, at: "entry")
        return phone.reason
    }

    private var claims: [UInt8] { ConfirmedKeyCredential(key: COSEKey(key: key.publicKey)).raw }

    /// Each form opens as long as nobody took the token back, so that what refuses it later is the revocation.
    @Test(arguments: Malleation.allCases) func eachFormIsTheSameToken(malleation: Malleation) throws {
        let raw = try malleation.apply(to: token)
        #expect(raw != token.raw)
        #expect(try tap(.token(raw)) == .granted)
        #expect(try tap(.claims(claims), beside: raw) == .granted)
        let names = try controller.records().filter { $0["subject"] != nil }.map { $0["credential"]?.string }
        #expect(Set(names).count == 1)
    }

    @Test(arguments: 0..<4, Malleation.allCases) func noFormOfARevokedTokenOpens(way: Int, malleation: Malleation) throws {
        let raw = try malleation.apply(to: token)
        // The gate knows the one form by its reference, and the other.
        #expect(try tap(.tokenReference(token.raw)) == .granted)
        #expect(try tap(.token(raw)) == .granted)
        try site.publish([.revocation(token.revocations[way])], to: controller)
        for form in [token.raw, raw] {
            #expect(try tap(.token(form)) == .revoked)
            #expect(try tap(.tokenReference(form)) == .revoked)
            #expect(try tap(.claims(claims), beside: form) == .revoked)
        }
    }

    /// A gate that knows the token in one form is named it by a phone that has it in the other.
    @Test(arguments: Malleation.allCases) func theOtherFormByReferenceIsNotTakenForIt(malleation: Malleation) throws {
        let raw = try malleation.apply(to: token)
        #expect(try tap(.token(token.raw)) == .granted)
        #expect(try tap(.tokenReference(raw)) == .granted, "by value, in the same presentation")
        try site.publish([.revocation(token.revocations[0])], to: controller)
        #expect(try tap(.tokenReference(raw)) == .revoked)
    }
}
