import Credentials
import Cryptography
import PhoneProtocol
import Testing
import VirtualPhone

/// A phone of somebody who is known at several sites shows each gate only what is that site's.
@Suite struct MembershipTests {
    let here: TestSite
    let there: TestSite

    init() throws {
        here = try TestSite()
        there = try TestSite()
    }

    /// The gates of both sites have the same key identifiers: only their proof tells them apart.
    func phone(_ settings: PhoneSettings = PhoneSettings(), first: TestSite, second: TestSite, reference: Bool = false) -> NFCPhone {
        NFCPhone(
            identity: PhoneIdentity(memberships: [first, second].map { site in
                PhoneMembership(
                    credential: reference ? .tokenReference(site.token.raw) : .token(site.token.raw),
                    key: .signing(site.phoneSigning), gates: site.knownGates)
            }),
            settings: settings)
    }

    @Test(arguments: [true, false]) func eachGateSeesItsOwnToken(inOrder: Bool) throws {
        for site in [here, there] {
            var phone = inOrder ? phone(first: here, second: there) : phone(first: there, second: here)
            var gate = try site.gate()
            let tap = Tap.run(&gate, &phone, knowing: site.candidates)
            #expect(tap.end == .outcomeTold)
            #expect(tap.claims.map(\.presented) == [.token(site.token)])
            #expect(tap.proof?.claim.presented == .token(site.token))
        }
    }

    /// After error 3 too it is that site's token, by value.
    @Test func aReferenceIsRepeatedWithTheSameSitesToken() throws {
        var phone = phone(first: here, second: there, reference: true)
        var gate = try there.gate()
        let tap = Tap.run(&gate, &phone, knowing: there.candidates)
        #expect(tap.claims.map(\.presented) == [.keyIdentifier(there.token.identifier.reference), .token(there.token)])
        #expect(tap.proof != nil)
    }

    /// A gate of neither site, whose key identifier both know, learns nothing.
    @Test func aGateOfNoSiteLearnsNothing() throws {
        let elsewhere = try TestSite()
        var phone = phone(first: here, second: there)
        var gate = try elsewhere.gate()
        let tap = Tap.run(&gate, &phone, knowing: elsewhere.candidates)
        #expect(tap.claims.isEmpty)
        #expect(tap.end == .stopped(.phoneDeclined, detail: "6985"))
        let result = phone.result
        #expect(result == .stopped(.exchange(.proofFailed)))
    }

    /// More sites than a gate would try candidates, all with one key identifier.
    @Test func manySitesMayShareAKeyIdentifier() throws {
        let sites = try (0..<6).map { _ in try TestSite() }
        let identity = PhoneIdentity(memberships: sites.map {
            PhoneMembership(credential: .token($0.token.raw), key: .signing($0.phoneSigning), gates: $0.knownGates)
        })
        let last = try #require(sites.last)
        var phone = NFCPhone(identity: identity)
        var gate = try last.gate()
        #expect(Tap.run(&gate, &phone, knowing: last.candidates).proof?.claim.presented == .token(last.token))
    }

    /// The key that the phone uses at one site makes no gate at another.
    @Test func aKeyOfOurOwnIsNoGateAnywhere() throws {
        let mirrored = TestSite.gateCredential(here.phoneSigning.publicKey, kid: [0x01])
        let identity = PhoneIdentity(memberships: [
            PhoneMembership(credential: .token(here.token.raw), key: .signing(here.phoneSigning), gates: here.knownGates),
            PhoneMembership(
                credential: .token(there.token.raw), key: .signing(there.phoneSigning),
                gates: [try KnownGate(keyIdentifier: [0x01], claims: mirrored.bytes)])
        ])
        var phone = NFCPhone(identity: identity)
        var gate = try there.gate(keys: GateKeys(signing: (here.phoneSigning, mirrored), agreement: nil))
        let tap = Tap.run(&gate, &phone, knowing: there.candidates)
        #expect(tap.claims.isEmpty)
        let result = phone.result
        #expect(result == .stopped(.exchange(.proofFailed)), "the other site's gate of that name is tried, this one is not")
    }

    /// METHOD is said before the gate is known: a membership with a key of the other kind is passed over where
    /// another fits, and else the phone stops without showing it.
    @Test func theFirstMembershipSettlesTheMethod() throws {
        let agrees = PhoneMembership(
            credential: .token(there.agreementToken.raw), key: .agreement(there.phoneAgreement), gates: there.knownGates)
        let signsHere = PhoneMembership(credential: .token(here.token.raw), key: .signing(here.phoneSigning), gates: here.knownGates)
        var phone = NFCPhone(identity: PhoneIdentity(memberships: [signsHere, agrees]))
        var gate = try there.gate()
        let tap = Tap.run(&gate, &phone, knowing: there.candidates)
        #expect(tap.claims.isEmpty)
        let result = phone.result
        #expect(result == .stopped(.exchange(.keyDoesNotFit)))

        let signsThere = PhoneMembership(credential: .token(there.token.raw), key: .signing(there.phoneSigning), gates: there.knownGates)
        var second = NFCPhone(identity: PhoneIdentity(memberships: [signsHere, agrees, signsThere]))
        var again = try there.gate()
        #expect(Tap.run(&again, &second, knowing: there.candidates).proof?.claim.presented == .token(there.token))
    }
}
