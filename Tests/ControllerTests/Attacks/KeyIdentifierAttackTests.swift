import Credentials
import Cryptography
import PhoneProtocol
import Readers
import SiteData
import Testing
import VirtualPhone

@testable import Controller

/// `kid` is not unique: somebody has the same as another person, or names another's token.
@Suite("Attack: kid collision (V3)") final class KeyIdentifierAttackTests {
    let site: TestSite
    let controller: Controller

    init() throws {
        site = try TestSite()
        try site.configure(lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0")
        controller = try site.controller()
    }

    deinit { controller.stop() }

    private func enrolled(_ key: SigningKey, _ subject: String, kid: [UInt8], audiences: [String] = []) -> EnrolledKey {
        EnrolledKey(keyIdentifier: kid, key: key.publicKey, use: .sign, subject: subject, audiences: audiences)
    }

    private func subjects() throws -> [String] {
        try controller.records().compactMap { $0["reason"]?.string == "granted" ? $0["subject"]?.string : nil }
    }

    /// Two people share a `kid`. Each passes in their own name.
    @Test func whoeverSharesAKidPassesInTheirOwnName() throws {
        let (first, second) = (try SigningKey.generate(.p256), try SigningKey.generate(.p256))
        let people = [enrolled(first, "ada", kid: [7]), enrolled(second, "eve", kid: [7])]
        try site.publish(people.map { .enrolled($0) }, to: controller)
        for (key, person) in zip([second, first], people.reversed()) {
            let phone = TestPhone(PhoneIdentity(
                credential: .keyIdentifier([7], claims: person.credential), key: .signing(key), gates: try site.gates))
            _ = controller.present(phone, at: "entry")
            #expect(phone.reason == .granted)
        }
        #expect(try subjects() == ["eve", "ada"])
    }

    /// Somebody who may not pass here shares the `kid` of somebody who may, and shows that person's CCS too.
    @Test(arguments: [true, false]) func aSharedKidLendsNoRights(showsOwn: Bool) throws {
        let (ada, eve) = (try SigningKey.generate(.p256), try SigningKey.generate(.p256))
        let people = [enrolled(ada, "ada", kid: [7]), enrolled(eve, "eve", kid: [7], audiences: ["tapstile:demo/-/cellar"])]
        try site.publish(people.map { .enrolled($0) }, to: controller)
        let phone = TestPhone(PhoneIdentity(
            credential: .keyIdentifier([7], claims: people[showsOwn ? 1 : 0].credential), key: .signing(eve), gates: try site.gates))
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == (showsOwn ? .wrongAudience : nil))
        #expect(try subjects().isEmpty)
    }

    /// An enrolled key has the reference of another person's token as its `kid`.
    @Test func aKidLikeATokensReferenceLendsNoRights() throws {
        let (ada, eve) = (try SigningKey.generate(.p256), try SigningKey.generate(.p256))
        let token = try site.token(site.claims(ada.publicKey))
        let reference = token.identifier.reference
        let own = enrolled(eve, "eve", kid: reference, audiences: ["tapstile:demo/-/cellar"])
        try site.publish([.enrolled(own)], to: controller)
        let victim = PhoneIdentity(credential: .tokenReference(token.raw), key: .signing(ada), gates: try site.gates)
        for _ in 0..<2 {
            let phone = TestPhone(victim)
            _ = controller.present(phone, at: "entry")
            #expect(phone.reason == .granted, "nobody is pushed out")
        }
        for claims in [own.credential, token.raw] {
            let phone = TestPhone(PhoneIdentity(
                credential: .keyIdentifier(reference, claims: claims), key: .signing(eve), gates: try site.gates))
            _ = controller.present(phone, at: "entry")
            #expect(phone.reason != .granted)
        }
        #expect(try subjects() == ["ada", "ada"])
    }

    /// Somebody names another's token that the gate knows, and proves a key of their own.
    @Test func anothersReferenceOpensNothing() throws {
        try site.publish(to: controller)
        let (ada, eve) = (try SigningKey.generate(.p256), try SigningKey.generate(.p256))
        let token = try site.token(site.claims(ada.publicKey))
        _ = controller.present(try site.phone(ada, token), at: "entry")
        let own = OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: token.identifier.reference), credential: token.raw, key: .signing(eve))
        let phone = HostilePhone(own, gates: try site.gatePeers)
        _ = controller.present(phone, at: "entry")
        #expect(phone.refusal == .unknownCredential, "as if it were not known")
        #expect(try subjects() == ["ada"])
    }
}
