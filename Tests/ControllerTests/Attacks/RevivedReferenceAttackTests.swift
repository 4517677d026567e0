import Credentials
import Cryptography
import PhoneProtocol
import Readers
import SiteData
import Testing
import VirtualPhone

@testable import Controller

/// A token that the gate knows is named after it was taken back, or after what vouched for it is gone.
@Suite("Attack: a reference that outlives its token (V9)") final class RevivedReferenceAttackTests: TokenHolder {
    init() throws {
        try super.init()
        _ = controller.present(try phone(), at: "entry")
    }

    private func phone() throws -> TestPhone {
        TestPhone(PhoneIdentity(credential: .tokenReference(token.raw), key: .signing(key), gates: try site.gates))
    }

    /// A phone that names the token and does not show it by value afterwards.
    private func reason() throws -> String? {
        let own = OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: token.identifier.reference), credential: token.raw, key: .signing(key))
        _ = controller.present(HostilePhone(own, gates: try site.gatePeers), at: "entry")
        return events.reasons.last
    }

    @Test func itOpensWhileAllIsWell() throws {
        #expect(try reason() == "granted")
    }

    @Test(arguments: 0..<4) func afterRevocationItOpensNothing(way: Int) throws {
        try site.publish([.revocation(token.revocations[way])], to: controller)
        let phone = try phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .revoked, "and the phone is told, by value in the same presentation")
        #expect(try reason() == "unknown-key")
    }

    /// A reload changes no site data; what was taken back before it stays so, and what was not still opens.
    @Test(arguments: [true, false]) func afterAReloadItIsWhatItWas(revoked: Bool) throws {
        if revoked { try site.publish([.revocation(token.revocations[0])], to: controller) }
        _ = try controller.reload()
        let phone = try phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == (revoked ? .revoked : .granted))
    }

    /// After a publication, even of the same, nothing that was known before is: the signature is asked about again.
    @Test func afterAPublicationTheNameAloneOpensNothing() throws {
        try site.publish(to: controller)
        #expect(try reason() == "unknown-key")
        let phone = try phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .granted, "by value, in the same presentation")
    }
}
