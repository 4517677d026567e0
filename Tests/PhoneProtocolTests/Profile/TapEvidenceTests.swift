import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// What a journal keeps of a proof: enough for somebody who was not there.
@Suite struct TapEvidenceTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    /// The proof that a gate has after a tap.
    func proof(_ gate: consuming NFCGateConversation, _ phone: consuming NFCPhone) throws -> (proof: Proof, transcript2: [UInt8]) {
        var gate = gate
        var phone = phone
        let tap = Tap.run(&gate, &phone, knowing: site.candidates, sending: PhoneOutcome(result: .granted, reason: .granted))
        return (try #require(tap.proof), try #require(tap.transcripts.last))
    }

    @Test func bothTranscriptsFollowFromIt() throws {
        let (proof, transcript2) = try proof(try site.gate(), site.tokenPhone())
        let evidence = try #require(TapEvidence(parsing: proof.evidence.encoded))
        #expect(evidence == proof.evidence)
        let gate = try #require(evidence.gate)
        #expect(gate.transcript2 == transcript2)
        #expect(evidence.transcript3 == gate.transcript3)
        #expect(evidence.transcript4 == proof.transcript)
    }

    @Test func itTellsGateLaneCarrierTimeAndWhatWasAskedFor() throws {
        let evidence = try proof(try site.gate(), site.tokenPhone()).proof.evidence
        let context = try #require(evidence.gate?.context)
        #expect(context.gateIdentifier == "gate-1" && context.lane == TestSite.lane && context.carrier == .nfc)
        #expect(context.time == 1_800_000_000)
        #expect(evidence.gate?.credential == TestSite.gateCredential(site.gateSigning.publicKey, kid: [0x01]).bytes)
        #expect(evidence.request?.lane == TestSite.lane && evidence.request?.command == "tokn")
        #expect(evidence.credential == site.token.raw)
    }

    /// Somebody who has nothing but the bytes and two public keys.
    @Test func bothSidesSignedIt() throws {
        let evidence = try proof(try site.gate(), site.tokenPhone()).proof.evidence
        #expect(evidence.isSigned(by: site.phoneSigning.publicKey))
        #expect(!evidence.isSigned(by: site.issuer.publicKey))
        #expect(evidence.gate?.isSigned(by: site.gateSigning.publicKey) == true)
        #expect(evidence.gate?.isSigned(by: site.phoneSigning.publicKey) == false)
    }

    @Test func everyBitOfItCounts() throws {
        let encoded = try proof(try site.gate(), site.tokenPhone()).proof.evidence.encoded
        for index in encoded.indices {
            var changed = encoded
            changed[index] ^= 1
            guard let evidence = TapEvidence(parsing: changed), let gate = evidence.gate else { continue }
            let isSigned = evidence.isSigned(by: site.phoneSigning.publicKey) && gate.isSigned(by: site.gateSigning.publicKey)
            #expect(!isSigned, "byte \(index)")
        }
    }

    /// The gate's half of one exchange is worth nothing in another.
    @Test func halvesOfTwoExchangesDoNotMeet() throws {
        let one = try fields(of: proof(try site.gate(), site.tokenPhone()).proof.evidence)
        let other = try fields(of: proof(try site.gate(lane: "side"), site.tokenPhone()).proof.evidence)
        for place in 3...6 {
            var mixed = one
            mixed[place] = other[place]
            // CRED_R is the same in both, for it is the same gate group.
            guard mixed != one, let evidence = TapEvidence(parsing: CBOR.array(mixed).encoded), let gate = evidence.gate else { continue }
            #expect(!(evidence.isSigned(by: site.phoneSigning.publicKey) && gate.isSigned(by: site.gateSigning.publicKey)))
        }
        let swapped = Array(one[0...2] + other[3...6] + one[7...])
        let evidence = try #require(TapEvidence(parsing: CBOR.array(swapped).encoded))
        #expect(evidence.gate?.isSigned(by: site.gateSigning.publicKey) == true)
        #expect(!evidence.isSigned(by: site.phoneSigning.publicKey))
    }

    @Test func aCredentialByValueIsWrittenOnce() throws {
        let byValue = try fields(of: proof(try site.gate(), site.tokenPhone()).proof.evidence)
        #expect(byValue.count == 11)
        #expect(byValue[2].bytes == CredentialIdentifier(token: site.token.raw).map)
        #expect(byValue[7].isNull)
        let byReference = try fields(of: proof(try site.gate([.bothAgree]), site.enrolledPhone()).proof.evidence)
        #expect(byReference[7].bytes == site.enrolledAgreement.credential)
    }

    @Test func aMACIsNoEvidence() throws {
        let proof = try proof(try site.gate([.bothAgree]), site.enrolledPhone()).proof
        let evidence = try #require(TapEvidence(parsing: proof.evidence.encoded))
        #expect(evidence == proof.evidence && evidence.transcript4 == proof.transcript)
        #expect(evidence.gate?.context?.lane == TestSite.lane)
        #expect(!evidence.isSigned(by: site.phoneAgreement.publicKey))
        #expect(evidence.gate?.isSignature == false)
        #expect(evidence.gate?.isSigned(by: site.gateAgreement.publicKey) == false)
    }

    /// Both MAC lengths are read: the format does not name the suite.
    @Test(arguments: [CipherSuite.suite2, .suite3, .suite5]) func itIsReadWhateverTheSuite(suite: CipherSuite) throws {
        let phone = site.phone(
            .token(site.token.raw), .signing(site.phoneSigning), PhoneSettings(gateSigns: false, suites: [suite.rawValue]))
        let proof = try proof(try site.gate([.initiatorSigns]), phone).proof
        let evidence = try #require(TapEvidence(parsing: proof.evidence.encoded))
        #expect(evidence.gate?.context?.gateIdentifier == "gate-1")
        #expect(evidence.isSigned(by: site.phoneSigning.publicKey))
    }

    @Test func aCredentialThatDidNotTravelIsKept() throws {
        let phone = site.phone(
            .keyIdentifier(site.enrolledSigning.keyIdentifier, claims: site.enrolledSigning.credential),
            .signing(site.phoneSigning))
        let evidence = try proof(try site.gate(), phone).proof.evidence
        #expect(TapEvidence(parsing: evidence.encoded)?.credential == site.enrolledSigning.credential)
        #expect(evidence.isSigned(by: site.phoneSigning.publicKey))
    }

    /// Records written before PLAINTEXT_2 was kept: `[method, ID_CRED_I, TH_3, CRED_I / null, EAD_3, MAC_3, proof]`.
    @Test func formatOneIsStillRead() throws {
        let proof = try proof(try site.gate(), site.tokenPhone()).proof
        let all = try fields(of: proof.evidence)
        let old = CBOR.array([all[1], all[2], .bytes(proof.evidence.transcript3)] + all[7...]).encoded
        let evidence = try #require(TapEvidence(parsing: old))
        #expect(evidence.gate == nil)
        #expect(evidence.encoded == old)
        #expect(evidence.isSigned(by: site.phoneSigning.publicKey))
        #expect(evidence.transcript4 == proof.transcript)
    }

    @Test func whatIsNoEvidenceIsNotRead() throws {
        let all = try fields(of: proof(try site.gate(), site.tokenPhone()).proof.evidence)
        for place in all.indices {
            var wrong = all
            wrong[place] = .text("?")
            #expect(TapEvidence(parsing: CBOR.array(wrong).encoded) == nil, "item \(place)")
            wrong.remove(at: place)
            #expect(TapEvidence(parsing: CBOR.array(wrong).encoded) == nil, "without item \(place)")
        }
        var newer = all
        newer[0] = 3
        #expect(TapEvidence(parsing: CBOR.array(newer).encoded) == nil)
    }

    private func fields(of evidence: TapEvidence) throws -> [CBOR] {
        try #require(try CBOR.decode(evidence.encoded).array)
    }
}
