import Cryptography
import Encoding
import Testing
@testable import PhoneProtocol

/// Every intermediate value of RFC 9529, chapters 2 and 3, from the values before it.
@Suite struct KeyScheduleTests {
    static let parties = [try? TraceParty.chapter2(), try? TraceParty.chapter3()].compactMap { $0 }

    @Test func bothTracesAreThere() { #expect(Self.parties.count == 2) }

    @Test(arguments: parties) func transcriptHashes(party: TraceParty) {
        let vectors = party.vectors
        #expect(SHA256.hash(vectors["message_1"]) == vectors["H(message_1)"])
        #expect(SHA256.hash(vectors["Input to calculate TH_2"]) == vectors["TH_2"])
        #expect(KeySchedule.transcript2(
            responderPoint: vectors["G_Y"], message1Hash: vectors["H(message_1)"]) == vectors["TH_2"])
        #expect(KeySchedule.transcript(
            after: vectors["TH_2"], plaintext: vectors["PLAINTEXT_2"], credential: vectors["CRED_R"])
            == vectors["TH_3"])
        #expect(KeySchedule.transcript(
            after: vectors["TH_3"], plaintext: vectors["PLAINTEXT_3"], credential: vectors["CRED_I"])
            == vectors["TH_4"])
    }

    @Test(arguments: parties) func sharedSecrets(party: TraceParty) throws {
        let vectors = party.vectors
        let curve = party.suite.agreementCurve
        let x = try AgreementKey(rawPrivate: vectors["X"], curve: curve)
        let y = try AgreementKey(rawPrivate: vectors["Y"], curve: curve)
        #expect(x.publicKey.x == vectors["G_X"])
        #expect(y.publicKey.x == vectors["G_Y"])
        let gy = try KeyAgreement.point(vectors["G_Y"], curve)
        let gx = try KeyAgreement.point(vectors["G_X"], curve)
        #expect(try KeyAgreement.secret(x, ephemeral: gy) == vectors["G_XY"])
        #expect(try KeyAgreement.secret(y, ephemeral: gx) == vectors["G_XY"])
        guard party.method == .bothAgree else { return }
        let r = try AgreementKey(rawPrivate: vectors["SK_R"], curve: curve)
        let i = try AgreementKey(rawPrivate: vectors["SK_I"], curve: curve)
        #expect(try KeyAgreement.secret(r, ephemeral: gx) == vectors["G_RX"])
        #expect(try KeyAgreement.secret(x, static: r.publicKey) == vectors["G_RX"])
        #expect(try KeyAgreement.secret(i, ephemeral: gy) == vectors["G_IY"])
        #expect(try KeyAgreement.secret(y, static: i.publicKey) == vectors["G_IY"])
    }

    @Test(arguments: parties) func pseudorandomKeys(party: TraceParty) {
        let vectors = party.vectors
        let prk2e = KeySchedule.prk2e(transcript2: vectors["TH_2"], sharedSecret: vectors["G_XY"])
        #expect(prk2e == vectors["PRK_2e"])
        guard party.method == .bothAgree else {
            #expect(prk2e == vectors["PRK_3e2m"])
            #expect(prk2e == vectors["PRK_4e3m"])
            return
        }
        #expect(KeySchedule.info(label: 1, context: vectors["TH_2"], length: 32) == vectors["info for SALT_3e2m"])
        #expect(KeySchedule.derive(prk2e, .salt3e2m, context: vectors["TH_2"], length: 32) == vectors["SALT_3e2m"])
        #expect(KeySchedule.prk3e2m(
            prk2e: prk2e, transcript2: vectors["TH_2"], sharedSecret: vectors["G_RX"]) == vectors["PRK_3e2m"])
        #expect(KeySchedule.info(label: 5, context: vectors["TH_3"], length: 32) == vectors["info for SALT_4e3m"])
        let salt = KeySchedule.salt4e3m(prk3e2m: vectors["PRK_3e2m"], transcript3: vectors["TH_3"])
        #expect(salt == vectors["SALT_4e3m"])
        #expect(HKDF.extract(salt: salt, inputKey: vectors["G_IY"]) == vectors["PRK_4e3m"])
    }

    @Test(arguments: parties) func message2(party: TraceParty) throws {
        let vectors = party.vectors
        let proof = ProofContext(
            prefix: CompactIdentifier.encode(vectors["C_R"]), identifier: vectors["ID_CRED_R"],
            transcript: vectors["TH_2"], credential: vectors["CRED_R"], ead: [])
        #expect(proof.context == vectors["context_2"])
        let length = party.suite.macLength(underSignature: party.method.responderUsesSignature)
        #expect(KeySchedule.info(label: 2, context: proof.context, length: length) == vectors["info for MAC_2"])
        let mac = proof.mac(vectors["PRK_3e2m"], .mac2, length: length)
        #expect(mac == vectors["MAC_2"])
        if party.method == .bothSign {
            #expect(proof.toBeSigned(mac: mac) == vectors["Message to be signed 2"])
        }
        #expect(try proof.prove(mac: mac, key: try party.key("SK_R")) == vectors["Signature_or_MAC_2"])
        let plaintext = AuthenticatedPlaintext(
            connectionIdentifier: CompactIdentifier.encode(vectors["C_R"]),
            identifier: try CredentialIdentifier(map: vectors["ID_CRED_R"]),
            proof: vectors["Signature_or_MAC_2"], eadField: [])
        #expect(plaintext.bytes == vectors["PLAINTEXT_2"])
        let count = vectors["PLAINTEXT_2"].count
        #expect(KeySchedule.info(label: 0, context: vectors["TH_2"], length: count) == vectors["info for KEYSTREAM_2"])
        #expect(KeySchedule.derive(vectors["PRK_2e"], .keystream2, context: vectors["TH_2"], length: count)
            == vectors["KEYSTREAM_2"])
        #expect(KeySchedule.cipher2(plaintext.bytes, prk2e: vectors["PRK_2e"], transcript2: vectors["TH_2"])
            == vectors["CIPHERTEXT_2"])
    }

    @Test(arguments: parties) func message3(party: TraceParty) throws {
        let vectors = party.vectors
        let proof = ProofContext(
            identifier: vectors["ID_CRED_I"], transcript: vectors["TH_3"], credential: vectors["CRED_I"], ead: [])
        #expect(proof.context == vectors["context_3"])
        let length = party.suite.macLength(underSignature: party.method.initiatorUsesSignature)
        #expect(KeySchedule.info(label: 6, context: proof.context, length: length) == vectors["info for MAC_3"])
        let mac = proof.mac(vectors["PRK_4e3m"], .mac3, length: length)
        #expect(mac == vectors["MAC_3"])
        if party.method == .bothSign {
            #expect(proof.toBeSigned(mac: mac) == vectors["Message to be signed 3"])
        }
        let plaintext = AuthenticatedPlaintext(
            connectionIdentifier: [], identifier: try CredentialIdentifier(map: vectors["ID_CRED_I"]),
            proof: vectors["Signature_or_MAC_3"], eadField: [])
        #expect(plaintext.bytes == vectors["PLAINTEXT_3"])
        let protection = MessageProtection.message3(
            party.suite, prk3e2m: vectors["PRK_3e2m"], transcript3: vectors["TH_3"])
        #expect(protection.key == vectors["K_3"])
        #expect(protection.nonce == vectors["IV_3"])
        #expect(protection.associatedData == vectors["A_3"])
        #expect(try protection.seal(plaintext.bytes) == vectors["message_3"])
        #expect(try protection.open(vectors["message_3"]) == vectors["PLAINTEXT_3"])
    }
}
