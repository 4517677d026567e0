import Cryptography
import Encoding
import Testing
@testable import PhoneProtocol

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
        #expect(claim2 == EDHOCClaim(connectionIdentifier: [0xAB, 0xCD], identifier: gate.identifier, ead: items))
        _ = try initiator.verifyMessage2([Self.peer(gate)])
        let claim3 = try responder.receiveMessage3(try initiator.makeMessage3(phone, ead: items))
        #expect(claim3 == EDHOCClaim(connectionIdentifier: [], identifier: phone.identifier, ead: items))
        _ = try responder.verifyMessage3([Self.peer(phone)])
        let (mine, theirs) = (responder.result, initiator.result)
        let (gateSide, phoneSide) = (try #require(mine), try #require(theirs))
        #expect(gateSide.transcript4 == phoneSide.transcript4)
        #expect(gateSide.session.export(label: 40000, length: 64) == phoneSide.session.export(label: 40000, length: 64))
        #expect(gateSide.session.export(label: 40000, length: 32) != phoneSide.session.export(label: 40001, length: 32))
    }

    /// The same after error 2: the initiator prefers a suite that the responder lacks, is told which it has, and names
    /// both (RFC 9528, 5.2.3 and 6.3). Nothing of the first round is used again.
    @Test(arguments: EDHOCMethod.allCases, CipherSuite.allCases)
    func everyMethodWorksWithEverySuiteAfterANegotiation(method: EDHOCMethod, suite: CipherSuite) throws {
        let all = CipherSuite.allCases
        let index = try #require(all.firstIndex(of: suite))
        let other = all[(index + 1) % all.count]
        var first = EDHOCInitiator(
            method: method, suites: [other.rawValue], connectionIdentifier: [0x05], ephemeral: try .generate(for: other))
        var refusing = EDHOCResponder(
            methods: [method], suites: [suite], connectionIdentifier: [0x18], ephemeral: try .generate(for: suite))
        let refused = try first.makeMessage1()
        let refusal = Self.refusal { () throws(EDHOCError) in _ = try refusing.receiveMessage1(refused) }
        guard case .wrongSuite(let supported) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        let error = try EDHOCErrorMessage(parsing: EDHOCErrorMessage.wrongSuite(supported).encoded)
        #expect(error == .wrongSuite([suite.rawValue]))

        let phone = try Self.own(suite, signs: method.initiatorUsesSignature, kid: 0x37)
        let gate = try Self.own(suite, signs: method.responderUsesSignature, kid: 0x38)
        var initiator = EDHOCInitiator(
            method: method, suites: [other.rawValue, suite.rawValue], connectionIdentifier: [0x05],
            ephemeral: try .generate(for: suite))
        var responder = EDHOCResponder(
            methods: [method], suites: [suite], connectionIdentifier: [0x18], ephemeral: try .generate(for: suite))
        _ = try responder.receiveMessage1(try initiator.makeMessage1())
        _ = try initiator.receiveMessage2(try responder.makeMessage2(gate))
        _ = try initiator.verifyMessage2([Self.peer(gate)])
        _ = try responder.receiveMessage3(try initiator.makeMessage3(phone))
        _ = try responder.verifyMessage3([Self.peer(phone)])
        let (mine, theirs) = (responder.result, initiator.result)
        #expect(mine?.suite == suite)
        #expect(mine?.session.export(label: 32768, length: 16) == theirs?.session.export(label: 32768, length: 16))
    }

    // Not written where they are used: Swift 6.0 crashes on operators among a test's arguments.
    static let identifiers: [[UInt8]] = [
        [], [0x00], [0x17], [0x18], [0x1F], [0x20], [0x2D], [0x37], [0x38], [0x40], [0xF5], [0xFF], [0x00, 0x00], [0x41, 0x00],
        [0x0A, 0x0B, 0x0C], Array(repeating: 0x11, count: 16)
    ]

    /// Connection identifiers of every form, equal ones too: one exchange at a time needs no distinction.
    @Test(arguments: identifiers, identifiers)
    func everyConnectionIdentifierTravels(ours: [UInt8], theirs: [UInt8]) throws {
        let phone = try Self.own(.suite2, signs: true, kid: 0x05)
        let gate = try Self.own(.suite2, signs: true, kid: 0x06)
        var initiator = EDHOCInitiator(
            method: .bothSign, suites: [2], connectionIdentifier: ours, ephemeral: try .generate(for: .suite2))
        var responder = EDHOCResponder(
            methods: [.bothSign], suites: [.suite2], connectionIdentifier: theirs, ephemeral: try .generate(for: .suite2))
        #expect(try responder.receiveMessage1(try initiator.makeMessage1()).connectionIdentifier == ours)
        #expect(try initiator.receiveMessage2(try responder.makeMessage2(gate)).connectionIdentifier == theirs)
        _ = try initiator.verifyMessage2([Self.peer(gate)])
        #expect(try responder.receiveMessage3(try initiator.makeMessage3(phone)).connectionIdentifier.isEmpty)
        _ = try responder.verifyMessage3([Self.peer(phone)])
    }

    @Test func aConnectionIdentifierIsBounded() throws {
        let long = [UInt8](repeating: 0x11, count: 17)
        var initiator = EDHOCInitiator(
            method: .bothSign, suites: [2], connectionIdentifier: long, ephemeral: try .generate(for: .suite2))
        var responder = EDHOCResponder(
            methods: [.bothSign], suites: [.suite2], connectionIdentifier: [], ephemeral: try .generate(for: .suite2))
        let message = try initiator.makeMessage1()
        #expect(Self.refusal { () throws(EDHOCError) in _ = try responder.receiveMessage1(message) } == .malformed("C_I"))
        let plaintext = CompactIdentifier.encode(long) + [0x05, 0x48] + [UInt8](repeating: 0, count: 8)
        #expect(throws: EDHOCError.malformed("C_R")) {
            try AuthenticatedPlaintext(parsing: plaintext, hasConnectionIdentifier: true, proofLength: 8)
        }
    }

    /// Found by fuzzing: an identifier in a longer head than it needs was read as the short one, whose map went
    /// into the MAC, so that what was read and what would be written differed.
    @Test(arguments: [
        [0x58, 0x01, 0x99],              // kid h'99' with a length byte
        [0x58, 0x02, 0x99, 0x98],        // the same of two bytes
        [0x59, 0x00, 0x01, 0x99],        // and with two length bytes
        [0x18, 0x05],                    // kid h'05', as the integer 5 in a longer head
        [0x38, 0x05]                     // and as −6
    ] as [[UInt8]])
    func anIdentifierInALongerHeadIsRefused(wire: [UInt8]) throws {
        let plaintext = wire + [0x48] + [UInt8](repeating: 0, count: 8)
        #expect(throws: EDHOCError.malformed("ID_CRED")) {
            try AuthenticatedPlaintext(parsing: plaintext, hasConnectionIdentifier: false, proofLength: 8)
        }
    }

    /// Only error 2 leaves the ephemeral key unused: a key that made a secret, or whose point was sent, never comes back.
    @Test func onlyAnUnusedEphemeralKeyComesBack() throws {
        func left(suites: [Int], method: EDHOCMethod = .bothSign, thenMessage2: Bool = false, twice: Bool = false) throws -> Bool {
            var initiator = EDHOCInitiator(
                method: method, suites: suites, connectionIdentifier: [0], ephemeral: try .generate(for: .suite2))
            var responder = EDHOCResponder(
                methods: [.bothSign], suites: [.suite2], connectionIdentifier: [0], ephemeral: try .generate(for: .suite2))
            _ = try? responder.receiveMessage1(try initiator.makeMessage1())
            if thenMessage2 { _ = try responder.makeMessage2(try Self.own(.suite2, signs: true, kid: 1)) }
            if twice { _ = responder.removeUnusedEphemeral() }
            return responder.removeUnusedEphemeral() != nil
        }
        #expect(try left(suites: [3]))
        #expect(try !left(suites: [3], twice: true))
        #expect(try !left(suites: [2]))
        #expect(try !left(suites: [2], thenMessage2: true))
        #expect(try !left(suites: [2], method: .bothAgree))
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
            == .wrongSuite(supported: [2, 3, 5]), "suites for which there is an ephemeral key")
    }

    /// With a key on each curve every suite is served, and SUITES_R has them all: nothing is named that cannot be had.
    @Test(arguments: CipherSuite.ofGates) func aKeyOnEachCurveServesEverySuite(suite: CipherSuite) throws {
        func responder() throws -> EDHOCResponder {
            EDHOCResponder(
                methods: EDHOCMethod.allCases, suites: CipherSuite.ofGates, connectionIdentifier: [0], staticCurve: .p256,
                ephemeral: try .generateOnBothCurves())
        }
        var initiator = EDHOCInitiator(
            method: .bothSign, suites: [suite.rawValue], connectionIdentifier: [0], ephemeral: try .generate(for: suite))
        var serving = try responder()
        _ = try serving.receiveMessage1(try initiator.makeMessage1())
        let gate = try Self.own(suite, signs: true, kid: 1)
        _ = try initiator.receiveMessage2(try serving.makeMessage2(gate))
        #expect(try initiator.verifyMessage2([Self.peer(gate)]) == 0)
        var refusing = try responder()
        var other = EDHOCInitiator(
            method: .bothSign, suites: [4], connectionIdentifier: [0], ephemeral: try .generate(for: suite))
        let message = try other.makeMessage1()
        #expect(Self.refusal { () throws(EDHOCError) in _ = try refusing.receiveMessage1(message) }
            == .wrongSuite(supported: CipherSuite.ofGates.map(\.rawValue)))
    }

    /// Long-term keys agree on P-256: suite 6 is not to be had with them, and SUITES_R says so before anybody has computed.
    @Test(arguments: EDHOCMethod.allCases) func suitesAreNamedThatTheMethodCanHave(method: EDHOCMethod) throws {
        func refusal(_ suites: [Int], supported: [CipherSuite] = CipherSuite.ofGates) throws -> EDHOCError? {
            var responder = EDHOCResponder(
                methods: EDHOCMethod.allCases, suites: supported, connectionIdentifier: [0], staticCurve: .p256,
                ephemeral: try .generateOnBothCurves())
            let last = try #require(CipherSuite(rawValue: suites[suites.count - 1]))
            var initiator = EDHOCInitiator(method: method, suites: suites, connectionIdentifier: [0], ephemeral: try .generate(for: last))
            let message = try initiator.makeMessage1()
            return Self.refusal { () throws(EDHOCError) in _ = try responder.receiveMessage1(message) }
        }
        guard method != .bothSign else {
            #expect(try refusal([6]) == nil)
            #expect(try refusal([6, 2]) == .wrongSuite(supported: [2, 3, 5, 6]), "suite 6 was to be had")
            return
        }
        #expect(try refusal([6]) == .wrongSuite(supported: [2, 3, 5]))
        #expect(try refusal([6, 5]) == nil)
        #expect(try refusal([6], supported: [.suite6]) == .methodNotSupported(method.rawValue), "error 2 names a suite")
    }

    /// A method that a lane does not allow is refused at once, whatever the suite: error 2 would lead nowhere.
    @Test func aMethodThatIsNotThereIsRefusedForItself() throws {
        var responder = EDHOCResponder(
            methods: [.bothSign], suites: CipherSuite.ofGates, connectionIdentifier: [0], staticCurve: .p256,
            ephemeral: try .generateOnBothCurves())
        var initiator = EDHOCInitiator(method: .bothAgree, suites: [6], connectionIdentifier: [0], ephemeral: try .generate(for: .suite6))
        let message = try initiator.makeMessage1()
        #expect(Self.refusal { () throws(EDHOCError) in _ = try responder.receiveMessage1(message) } == .methodNotSupported(3))
    }

    /// A point of small order as G_X: the secret would be all zero, whatever our key is (RFC 9528, 9.2).
    @Test(arguments: [0, 1] as [UInt8]) func aPointOfSmallOrderIsRefusedInSuite6(first: UInt8) throws {
        let point = [first] + [UInt8](repeating: 0, count: 31)
        var responder = EDHOCResponder(
            methods: [.bothSign], suites: CipherSuite.ofGates, connectionIdentifier: [0], ephemeral: try .generateOnBothCurves())
        _ = try responder.receiveMessage1(
            Message1(method: 0, suites: [6], point: point, connectionIdentifier: [0], ead: []).encoded)
        let own = try Self.own(.suite6, signs: true, kid: 1)
        #expect(Self.refusal { () throws(EDHOCError) in _ = try responder.makeMessage2(own) } == .badEphemeralKey)
    }
}
