import Cryptography

/// message_2 as the initiator decrypted it.
struct ReceivedMessage2 {
    let method: EDHOCMethod
    let suite: CipherSuite
    let transcript2: [UInt8]
    let prk2e: [UInt8]
    let responderPoint: PublicKey
    let plaintext: AuthenticatedPlaintext

    init(
        _ message: [UInt8], method: EDHOCMethod, suite: CipherSuite, message1Hash: [UInt8], ephemeral: AgreementKey
    ) throws(EDHOCError) {
        let content = try EDHOCLimits.soleByteString(of: message)
        guard content.count > CipherSuite.pointLength else { throw .malformed("G_Y_CIPHERTEXT_2") }
        let point = Array(content.prefix(CipherSuite.pointLength))
        self.method = method
        self.suite = suite
        responderPoint = try KeyAgreement.point(point, suite.agreementCurve)
        transcript2 = KeySchedule.transcript2(responderPoint: point, message1Hash: message1Hash)
        let secret = try KeyAgreement.secret(ephemeral, ephemeral: responderPoint)
        prk2e = KeySchedule.prk2e(transcript2: transcript2, sharedSecret: secret)
        let opened = KeySchedule.cipher2(
            Array(content.dropFirst(CipherSuite.pointLength)), prk2e: prk2e, transcript2: transcript2)
        plaintext = try AuthenticatedPlaintext(
            parsing: opened, hasConnectionIdentifier: true,
            proofLength: suite.proofLength(isSignature: method.responderUsesSignature))
    }

    /// Tries the candidates in order, all of them: whom an initiator knows is its own list, so that nobody
    /// else can make it long.
    func verify(_ candidates: [PeerCredential], ephemeral: AgreementKey) throws(EDHOCError) -> (Int, VerifiedMessage2) {
        guard !candidates.isEmpty else { throw .unknownCredential }
        let fitting = candidates.enumerated()
            .filter { $0.element.fits(suite, signing: method.responderUsesSignature) }
        guard !fitting.isEmpty else { throw .keyDoesNotFit }
        for (index, candidate) in fitting {
            if let verified = try check(candidate, ephemeral: ephemeral) { return (index, verified) }
        }
        throw .proofFailed
    }

    private func check(_ candidate: PeerCredential, ephemeral: AgreementKey) throws(EDHOCError) -> VerifiedMessage2? {
        let proof = ProofContext(
            prefix: plaintext.connectionIdentifier, identifier: plaintext.identifier.map,
            transcript: transcript2, credential: candidate.credential, ead: plaintext.eadField)
        let signer = method.responderUsesSignature ? candidate.key : nil
        let prk3e2m = try prk3e2m(candidate, ephemeral: ephemeral)
        let mac = proof.mac(prk3e2m, .mac2, length: suite.macLength(underSignature: signer != nil))
        guard proof.verify(plaintext.proof, mac: mac, signedBy: signer) else { return nil }
        let responder = ResponderProof(
            transcript2: transcript2, plaintext2: plaintext.bytes, mac2: mac, credential: candidate.credential)
        return VerifiedMessage2(
            method: method, suite: suite, prk3e2m: prk3e2m, responderPoint: responderPoint, responder: responder,
            transcript3: responder.transcript3)
    }

    /// PRK_3e2m: with the responder's static key where it agrees, else PRK_2e.
    private func prk3e2m(_ candidate: PeerCredential, ephemeral: AgreementKey) throws(EDHOCError) -> [UInt8] {
        guard !method.responderUsesSignature else { return prk2e }
        let secret = try KeyAgreement.secret(ephemeral, static: candidate.key)
        return KeySchedule.prk3e2m(prk2e: prk2e, transcript2: transcript2, sharedSecret: secret)
    }
}
