import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// Phones that are not who they say, or break the rules: the gate knows why, they do not.
@Suite struct StrangerTests {
    let site: TestSite
    let request: PhoneRequest

    init() throws {
        site = try TestSite()
        request = PhoneRequest(carrier: .nfc, lane: TestSite.lane)
    }

    /// EXCHANGE, P1 = 01, with `(1, "refused")` and with `(3, true)`.
    static let uniform: [UInt8] = [0x80, 0xE2, 0x01, 0x00, 0x09, 0x01, 0x67] + Array("refused".utf8) + [0x00]
    static let unknownCredential: [UInt8] = [0x80, 0xE2, 0x01, 0x00, 0x02, 0x03, 0xF5, 0x00]

    func refused(_ meeting: Meeting, _ reason: Reason, _ detail: String = "") {
        #expect(!meeting.isProved)
        #expect(meeting.end == .stopped(reason, detail: detail))
        #expect(meeting.lastCommand == Self.uniform)
    }

    @Test func theHonestPhoneIsProved() throws {
        #expect(try site.meet(site.own(site.token.raw), ead: [request.item]).isProved)
    }

    @Test func anotherPersonsTokenIsABadProof() throws {
        let stolen = try TestSite.token(for: try SigningKey.generate(.p256).publicKey, by: site.issuer)
        refused(try site.meet(site.own(stolen.raw), ead: [request.item]), .badProof)
    }

    /// Where both agree the proof is a MAC: whoever knows the credential, and has a key of their own, cannot make it.
    @Test func anotherKeyThatAgreesIsABadProof() throws {
        let credential = site.enrolledAgreement.credential
        func meeting(_ key: AgreementKey) throws -> Meeting {
            let own = OwnCredential(
                identifier: CredentialIdentifier(claims: credential), credential: credential, key: .agreement(key))
            return try site.meet(own, ead: [request.item], method: .bothAgree)
        }
        #expect(try meeting(site.phoneAgreement).isProved)
        refused(try meeting(try AgreementKey.generate(.p256)), .badProof)
    }

    @Test func aCredentialThatIsNoTokenIsRefused() throws {
        refused(try site.meet(site.own([0x80]), ead: [request.item]), .unknownKey)
    }

    /// Its issuer signed all that it says, and the phone has its key. A token has one form.
    @Test func aTokenInALongerFormThanItNeedsIsNone() throws {
        let longer: [UInt8] = [0x98, 0x04] + Array(site.token.raw.dropFirst())
        let meeting = try site.meet(site.own(longer), ead: [request.item])
        #expect(meeting.claim != nil)
        #expect(meeting.claim?.presented == nil)
        refused(meeting, .unknownKey)
    }

    @Test func aKeyForTheOtherPurposeIsRefused() throws {
        // An enrolled signing key used in static Diffie-Hellman, by somebody who has it raw.
        let raw = [UInt8](repeating: 0x11, count: 32)
        let agreement = try AgreementKey(rawPrivate: raw, curve: .p256)
        let enrolled = TestSite.enrolled(try SigningKey(rawPrivate: raw, curve: .p256).publicKey, .sign, kid: [0x09])
        let own = OwnCredential(
            identifier: CredentialIdentifier(claims: enrolled.credential), credential: enrolled.credential,
            key: .agreement(agreement))
        let meeting = try site.meet(own, ead: [request.item], method: .responderSigns, knowing: { claim in
            claim.presented?.candidates(enrolled: [enrolled]) ?? []
        })
        refused(meeting, .wrongKeyUse, "edhoc-key-does-not-fit")
    }

    @Test func aTokenBesideAnotherKeyIsRefused() throws {
        let other = try SigningKey.generate(.p256)
        let claims = ConfirmedKeyCredential(key: COSEKey(key: other.publicKey)).raw
        let own = OwnCredential(
            identifier: CredentialIdentifier(claims: claims), credential: claims, key: .signing(other))
        let token = EADItem(label: PhoneProtocolProfile.tokenLabel, isCritical: true, value: site.token.raw)
        refused(try site.meet(own, ead: [request.item, token]), .unknownKey)
    }

    /// The token and the key are the right ones; nobody can know what the signature was made over.
    @Test func aTokenBesideAClaimsSetThatCannotBeReadIsRefused() throws {
        let own = OwnCredential(
            identifier: CredentialIdentifier(claims: [0xA0]), credential: [0xA0], key: .signing(site.phoneSigning))
        let token = EADItem(label: PhoneProtocolProfile.tokenLabel, isCritical: true, value: site.token.raw)
        refused(try site.meet(own, ead: [request.item, token]), .unknownKey)
    }

    @Test func twoTokensAreRefused() throws {
        let token = EADItem(label: PhoneProtocolProfile.tokenLabel, isCritical: true, value: site.token.raw)
        refused(try site.meet(site.own(site.token.raw), ead: [request.item, token]), .malformed, "two-tokens")
    }

    @Test func anotherCarrierOrLaneIsRefused() throws {
        var elsewhere = request
        elsewhere.carrier = .ble
        refused(try site.meet(site.own(site.token.raw), ead: [elsewhere.item]), .wrongCarrier)
        elsewhere = request
        elsewhere.lane = "other"
        refused(try site.meet(site.own(site.token.raw), ead: [elsewhere.item]), .wrongLane)
    }

    @Test func aRequestThatIsMissingOrWrongIsRefused() throws {
        let own = site.own(site.token.raw)
        refused(try site.meet(own, ead: []), .protocolError, "ead-3-missing")
        refused(try site.meet(own, ead: [request.item, request.item]), .protocolError, "ead-3-item")
        let label = PhoneProtocolProfile.phoneRequestLabel
        let notCritical = EADItem(label: label, isCritical: false, value: request.item.value)
        refused(try site.meet(own, ead: [notCritical]), .protocolError, "ead-3-item")
        let empty = EADItem(label: label, isCritical: true, value: nil)
        refused(try site.meet(own, ead: [empty]), .protocolError, "ead-3-item")
        let garbage = EADItem(label: label, isCritical: true, value: [0xFF, 0x00])
        refused(try site.meet(own, ead: [garbage]), .protocolError, "ead-3-request")
        let unknown = EADItem(label: 4711, isCritical: true, value: [])
        refused(try site.meet(own, ead: [request.item, unknown]), .protocolError, "ead-3-critical-item")
    }

    @Test func itemsThatMayBeIgnoredAre() throws {
        let unknown = EADItem(label: 4711, isCritical: false, value: [1, 2, 3])
        let padding = EADItem(label: EADItem.paddingLabel, isCritical: false, value: [7, 7])
        #expect(try site.meet(site.own(site.token.raw), ead: [padding, request.item, unknown], ead1: [padding]).isProved)
    }

    @Test func aCriticalItemInMessage1IsRefused() throws {
        let meeting = try site.meet(
            site.own(site.token.raw), ead: [request.item], ead1: [EADItem(label: 1, isCritical: true, value: nil)])
        refused(meeting, .protocolError, "edhoc-critical-item")
    }

    @Test func aMethodTheLaneDoesNotAllowIsRefused() throws {
        var gate = try site.gate([.bothSign])
        var phone = site.enrolledPhone()
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.end == .stopped(.protocolVersion, detail: "edhoc-method-not-supported"))
        #expect(tap.commands.last == Self.uniform)
        #expect(tap.claims.isEmpty)
    }

    @Test func aMethodWithoutAKeyIsRefused() throws {
        let keys = GateKeys(signing: nil, agreement: (site.gateAgreement, TestSite.gateCredential(site.gateAgreement.publicKey, kid: [2])))
        var gate = try site.gate(EDHOCMethod.allCases, keys: keys)
        var phone = site.tokenPhone()
        #expect(Tap.run(&gate, &phone, knowing: site.candidates).end
            == .stopped(.protocolVersion, detail: "edhoc-method-not-supported"))
    }

    /// Whether a reference is known must not show: an unknown one and a bad proof get the same answer.
    @Test func aReferenceSaysNothingAboutWhoIsKnown() throws {
        func refusal(known: Bool) throws -> [UInt8] {
            let own = OwnCredential(
                identifier: CredentialIdentifier(keyIdentifier: site.enrolledSigning.keyIdentifier),
                credential: site.enrolledSigning.credential, key: .signing(try SigningKey.generate(.p256)))
            let meeting = try site.meet(
                own, ead: [request.item], knowing: { known ? site.candidates($0) : [] })
            #expect(meeting.reason == (known ? .badProof : .unknownKey))
            return meeting.lastCommand
        }
        #expect(try refusal(known: true) == Self.unknownCredential)
        #expect(try refusal(known: false) == Self.unknownCredential)
    }

    /// A `kid` is not unique (RFC 9052, 3.1), but a stranger may not make the gate try without end.
    @Test func fourCandidatesAreTriedAndNoMore() throws {
        let own = OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: site.enrolledSigning.keyIdentifier),
            credential: site.enrolledSigning.credential, key: .signing(site.phoneSigning))
        let right = PeerCredential(credential: site.enrolledSigning.credential, key: site.phoneSigning.publicKey)
        let wrong = PeerCredential(credential: site.enrolledSigning.credential, key: site.issuer.publicKey)
        #expect(try site.meet(own, ead: [request.item], knowing: { _ in [wrong, wrong, wrong, right] }).isProved)
        #expect(try !site.meet(own, ead: [request.item], knowing: { _ in [wrong, wrong, wrong, wrong, right] }).isProved)
    }

    @Test func anotherVersionEndsBeforeAnythingIsSaid() throws {
        var gate = try site.gate()
        var phone = site.tokenPhone(PhoneSettings(version: 2))
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.end == .stopped(.protocolVersion, detail: ""))
        #expect(tap.commands.count == 1)
    }

    @Test func aCardWithoutTheApplicationIsNoAttempt() throws {
        var gate = try site.gate()
        _ = gate.start()
        #expect(gate.receive([0x6A, 0x82]) == .finish(.stopped(.noApplication, detail: "6a82")))
    }
}
