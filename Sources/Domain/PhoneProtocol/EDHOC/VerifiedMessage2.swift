import Cryptography

/// The responder proved its key: what the initiator needs to answer.
struct VerifiedMessage2 {
    let method: EDHOCMethod
    let suite: CipherSuite
    let prk3e2m: [UInt8]
    /// G_Y.
    let responderPoint: PublicKey
    /// What message_2 said and proved.
    let responder: ResponderProof
    let transcript3: [UInt8]

    func makeMessage3(_ own: OwnCredential, ead: [UInt8]) throws(EDHOCError) -> ([UInt8], EDHOCResult) {
        let prk4e3m = try prk4e3m(own.key)
        let proof = ProofContext(
            identifier: own.identifier.map, transcript: transcript3, credential: own.credential, ead: ead)
        let mac = proof.mac(prk4e3m, .mac3, length: suite.macLength(underSignature: own.key.signs))
        let field = try proof.prove(mac: mac, key: own.key)
        let plaintext = AuthenticatedPlaintext(
            connectionIdentifier: [], identifier: own.identifier, proof: field, eadField: ead).bytes
        let message = try MessageProtection.message3(suite, prk3e2m: prk3e2m, transcript3: transcript3).seal(plaintext)
        let transcript4 = KeySchedule.transcript(after: transcript3, plaintext: plaintext, credential: own.credential)
        return (message, EDHOCResult(
            method: method, suite: suite, transcript4: transcript4, responder: responder, proof: proof,
            proofField: field, mac3: mac, prk4e3m: prk4e3m))
    }

    /// PRK_4e3m: with our static key where we agree, else PRK_3e2m.
    private func prk4e3m(_ key: AuthenticationKey) throws(EDHOCError) -> [UInt8] {
        switch key {
        case .signing(let key):
            guard key.publicKey.curve == suite.signatureCurve else { throw .keyDoesNotFit }
            return prk3e2m
        case .agreement(let key):
            guard key.publicKey.curve == suite.agreementCurve,
                  let secret = try? key.sharedSecret(with: responderPoint)
            else { throw .keyDoesNotFit }
            let salt = KeySchedule.salt4e3m(prk3e2m: prk3e2m, transcript3: transcript3)
            return HKDF.extract(salt: salt, inputKey: secret)
        }
    }
}
