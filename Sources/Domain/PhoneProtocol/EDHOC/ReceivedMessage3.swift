import Cryptography

/// message_3 as the responder decrypted it.
struct ReceivedMessage3 {
    let method: EDHOCMethod
    let suite: CipherSuite
    /// What message_2 said and proved.
    let responder: ResponderProof
    let prk3e2m: [UInt8]
    let transcript3: [UInt8]
    let salt4e3m: [UInt8]?
    let plaintext: AuthenticatedPlaintext

    init(_ message: [UInt8], answering sent: SentMessage2) throws(EDHOCError) {
        let prepared = sent.forMessage3()
        let opened = try prepared.protection.open(message)
        method = sent.method
        suite = sent.suite
        responder = sent.proof
        prk3e2m = sent.prk3e2m
        transcript3 = prepared.transcript3
        salt4e3m = prepared.salt4e3m
        plaintext = try AuthenticatedPlaintext(
            parsing: opened, hasConnectionIdentifier: false,
            proofLength: sent.suite.proofLength(isSignature: sent.method.initiatorUsesSignature))
    }

    /// Tries the candidates in order. `ephemeral` is needed where the initiator agrees.
    func verify(
        _ candidates: [PeerCredential], ephemeral: AgreementKey?
    ) throws(EDHOCError) -> (Int, EDHOCResult) {
        guard !candidates.isEmpty else { throw .unknownCredential }
        var hasFitting = false
        for (index, candidate) in candidates.prefix(PeerCredential.maximumCandidates).enumerated() {
            guard candidate.fits(suite, signing: method.initiatorUsesSignature) else { continue }
            hasFitting = true
            if let result = try check(candidate, ephemeral: ephemeral) { return (index, result) }
        }
        guard hasFitting else {
            // The work that a fitting key causes: time must not tell which references are known.
            _ = try? check(candidates[0], ephemeral: ephemeral)
            throw .keyDoesNotFit
        }
        throw .proofFailed
    }

    private func check(_ candidate: PeerCredential, ephemeral: AgreementKey?) throws(EDHOCError) -> EDHOCResult? {
        let proof = ProofContext(
            identifier: plaintext.identifier.map, transcript: transcript3,
            credential: candidate.credential, ead: plaintext.eadField)
        let signer = method.initiatorUsesSignature ? candidate.key : nil
        let prk4e3m = try prk4e3m(candidate, ephemeral: ephemeral)
        let mac = proof.mac(prk4e3m, .mac3, length: suite.macLength(underSignature: signer != nil))
        guard proof.verify(plaintext.proof, mac: mac, signedBy: signer) else { return nil }
        let transcript4 = KeySchedule.transcript(
            after: transcript3, plaintext: plaintext.bytes, credential: candidate.credential)
        return EDHOCResult(
            method: method, suite: suite, transcript4: transcript4, responder: responder, proof: proof,
            proofField: plaintext.proof, mac3: mac, prk4e3m: prk4e3m)
    }

    /// PRK_4e3m: with the initiator's static key where it agrees, else PRK_3e2m.
    private func prk4e3m(_ candidate: PeerCredential, ephemeral: AgreementKey?) throws(EDHOCError) -> [UInt8] {
        guard let salt4e3m else { return prk3e2m }
        guard let ephemeral else { throw .outOfOrder }
        let secret = try KeyAgreement.secret(ephemeral, static: candidate.key)
        return HKDF.extract(salt: salt4e3m, inputKey: secret)
    }
}
