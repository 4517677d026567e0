import Cryptography
import Encoding
import Testing
@testable import Conversations

/// Two fresh sides, every method with every suite.
@Suite struct HandshakeTests {
    /// One side's credential for a suite.
    static func own(_ suite: CipherSuite, signs: Bool, kid: UInt8) throws -> OwnCredential {
        let key: AuthenticationKey = signs
            ? .signing(try SigningKey.generate(suite.signatureCurve))
            : .agreement(try AgreementKey.generate(suite.agreementCurve))
        // CRED is opaque to EDHOC: any item will do, if both sides have the same.
        return OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: [kid]), credential: CBOR.bytes(key.publicKey.x).encoded, key: key)
    }

    static func peer(_ own: OwnCredential) -> PeerCredential {
        PeerCredential(credential: own.credential, key: own.key.publicKey)
    }

    @Test(arguments: EDHOCMethod.allCases, CipherSuite.allCases)
    func everyMethodWorksWithEverySuite(method: EDHOCMethod, suite: CipherSuite) throws {
        let phone = try Self.own(suite, signs: method.initiatorUsesSignature, kid: 0x18)
        let gate = try Self.own(suite, signs: method.responderUsesSignature, kid: 0x17)
        var initiator = EDHOCInitiator(
            method: method, suites: [suite.rawValue], connectionIdentifier: [], ephemeral: try .generate(for: suite))
        var responder = EDHOCResponder(
            methods: EDHOCMethod.allCases, suites: CipherSuite.allCases, connectionIdentifier: [0xAB, 0xCD],
            ephemeral: try .generate(for: suite))
        let items = [EADItem(label: 77, isCritical: true, value: [1, 2]), EADItem(label: 78, isCritical: false, value: nil)]

        let opening = try responder.receiveMessage1(try initiator.makeMessage1(ead: items))
        #expect(opening == EDHOCOpening(method: method, suite: suite, connectionIdentifier: [], ead: items))
        let claim2 = try initiator.receiveMessage2(try responder.makeMessage2(gate, ead: items))
        #expect(claim2 == EDHOCClaim(identifier: gate.identifier, ead: items))
        _ = try initiator.verifyMessage2([Self.peer(gate)])
        let claim3 = try responder.receiveMessage3(try initiator.makeMessage3(phone, ead: items))
        #expect(claim3 == EDHOCClaim(identifier: phone.identifier, ead: items))
        _ = try responder.verifyMessage3([Self.peer(phone)])
        let ead4 = try initiator.receiveMessage4(try responder.makeMessage4(ead: items))
        #expect(ead4 == items)
        let (mine, theirs) = (responder.result, initiator.result)
        let (gateSide, phoneSide) = (try #require(mine), try #require(theirs))
        #expect(gateSide.transcript4 == phoneSide.transcript4)
        #expect(gateSide.session.export(label: 40000, length: 64) == phoneSide.session.export(label: 40000, length: 64))
        #expect(gateSide.session.export(label: 40000, length: 32) != phoneSide.session.export(label: 40001, length: 32))
    }

    /// A key of the wrong kind or curve never makes or verifies a proof.
    @Test func keysMustFitMethodAndSuite() throws {
        var responder = EDHOCResponder(
            methods: [.bothSign], suites: [.suite2], connectionIdentifier: [0], ephemeral: try .generate(for: .suite2))
        var initiator = EDHOCInitiator(
            method: .bothSign, suites: [2], connectionIdentifier: [0], ephemeral: try .generate(for: .suite2))
        _ = try responder.receiveMessage1(try initiator.makeMessage1())
        let wrong = try Self.own(.suite2, signs: false, kid: 1)
        var refusal: EDHOCError?
        do throws(EDHOCError) { _ = try responder.makeMessage2(wrong) } catch { refusal = error }
        #expect(refusal == .keyDoesNotFit)
        let ed25519 = PeerCredential(credential: [0xA0], key: try SigningKey.generate(.ed25519).publicKey)
        #expect(!ed25519.fits(.suite2, signing: true))
        #expect(ed25519.fits(.suite0, signing: true))
        #expect(!ed25519.fits(.suite0, signing: false))
        let signsOnly = PeerCredential(credential: [0xA0], key: try SigningKey.generate(.p256).publicKey, use: .sign)
        #expect(signsOnly.fits(.suite2, signing: true))
        #expect(!signsOnly.fits(.suite2, signing: false))
    }

    /// Every step happens once and in order; after a failure nothing happens.
    @Test func stepsHappenOnceAndInOrder() throws {
        let party = try TraceParty.chapter3()
        let vectors = party.vectors
        var responder = try party.responder()
        #expect(Self.refusal { () throws(EDHOCError) in _ = try responder.receiveMessage3(vectors["message_3"]) } == .outOfOrder)
        #expect(Self.refusal { () throws(EDHOCError) in _ = try responder.receiveMessage1(vectors["message_1"]) } == .outOfOrder)

        var second = try party.responder()
        _ = try second.receiveMessage1(vectors["message_1"])
        _ = try second.makeMessage2(try party.own("R"))
        #expect(Self.refusal { () throws(EDHOCError) in _ = try second.receiveMessage3(vectors["message_4"]) } == .notDecrypted)
        #expect(Self.refusal { () throws(EDHOCError) in _ = try second.receiveMessage3(vectors["message_3"]) } == .outOfOrder)

        var third = try party.responder()
        _ = try third.receiveMessage1(vectors["message_1"])
        _ = try third.makeMessage2(try party.own("R"))
        _ = try third.receiveMessage3(vectors["message_3"])
        #expect(Self.refusal { () throws(EDHOCError) in _ = try third.verifyMessage3([]) } == .unknownCredential)
        let peer = try party.peer("I")
        #expect(Self.refusal { () throws(EDHOCError) in _ = try third.verifyMessage3([peer]) } == .outOfOrder)
        let result = third.result
        #expect(result == nil)
    }

    static func refusal(_ step: () throws(EDHOCError) -> Void) -> EDHOCError? {
        do throws(EDHOCError) { try step() } catch { return error }
        return nil
    }

    /// RFC 9528, 5.2.3: the selected suite must be the first that the responder has.
    @Test(arguments: [[3, 2], [2, 2], [6], [6, 3, 2], [0], [-24, 25]]) func aWrongSelectionIsRefused(suites: [Int]) throws {
        var initiator = EDHOCInitiator(
            method: .bothSign, suites: suites, connectionIdentifier: [0], ephemeral: try .generate(for: .suite2))
        var responder = EDHOCResponder(
            methods: EDHOCMethod.allCases, suites: CipherSuite.allCases, connectionIdentifier: [0],
            ephemeral: try .generate(for: .suite2))
        let message = try initiator.makeMessage1()
        #expect(Self.refusal { () throws(EDHOCError) in _ = try responder.receiveMessage1(message) }
            == .wrongSuite(supported: [2, 3]))
    }
}
