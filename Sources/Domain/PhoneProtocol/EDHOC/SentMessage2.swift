import Cryptography

/// message_2 as the responder made it, and what is needed to read message_3.
struct SentMessage2 {
    let method: EDHOCMethod
    let suite: CipherSuite
    let message: [UInt8]
    let transcript2: [UInt8]
    let prk2e: [UInt8]
    let prk3e2m: [UInt8]
    /// What this message says and proves.
    let proof: ResponderProof
    private var prepared: Prepared?

    /// Everything that follows from message_2 alone.
    struct Prepared {
        let transcript3: [UInt8]
        let protection: MessageProtection
        /// SALT_4e3m, where the initiator agrees.
        let salt4e3m: [UInt8]?
    }

    init(
        answering received: ReceivedMessage1, ephemeral: AgreementKey, own: OwnCredential,
        connectionIdentifier: [UInt8], ead: [UInt8]
    ) throws(EDHOCError) {
        method = received.opening.method
        suite = received.opening.suite
        let point = ephemeral.publicKey.x
        transcript2 = KeySchedule.transcript2(responderPoint: point, message1Hash: received.hash)
        let secret = try KeyAgreement.secret(ephemeral, ephemeral: received.initiatorPoint)
        prk2e = KeySchedule.prk2e(transcript2: transcript2, sharedSecret: secret)
        switch own.key {
        case .signing(let key):
            guard key.publicKey.curve == suite.signatureCurve else { throw .keyDoesNotFit }
            prk3e2m = prk2e
        case .agreement(let key):
            guard key.publicKey.curve == suite.agreementCurve else { throw .keyDoesNotFit }
            let secret = try KeyAgreement.secret(key, ephemeral: received.initiatorPoint)
            prk3e2m = KeySchedule.prk3e2m(prk2e: prk2e, transcript2: transcript2, sharedSecret: secret)
        }
        let context = ProofContext(
            prefix: connectionIdentifier, identifier: own.identifier.map, transcript: transcript2,
            credential: own.credential, ead: ead)
        let mac = context.mac(prk3e2m, .mac2, length: suite.macLength(underSignature: own.key.signs))
        let plaintext = AuthenticatedPlaintext(
            connectionIdentifier: connectionIdentifier, identifier: own.identifier,
            proof: try context.prove(mac: mac, key: own.key), eadField: ead).bytes
        proof = ResponderProof(transcript2: transcript2, plaintext2: plaintext, mac2: mac, credential: own.credential)
        let ciphertext = KeySchedule.cipher2(plaintext, prk2e: prk2e, transcript2: transcript2)
        var message: [UInt8] = []
        message.appendByteString(point + ciphertext)
        self.message = message
    }

    /// Makes `prepared` if it is not there.
    mutating func prepare() {
        if prepared == nil { prepared = makePrepared() }
    }

    /// What was prepared, made now if it was not.
    func forMessage3() -> Prepared { prepared ?? makePrepared() }

    private func makePrepared() -> Prepared {
        let transcript3 = proof.transcript3
        return Prepared(
            transcript3: transcript3,
            protection: .message3(suite, prk3e2m: prk3e2m, transcript3: transcript3),
            salt4e3m: method.initiatorUsesSignature
                ? nil : KeySchedule.salt4e3m(prk3e2m: prk3e2m, transcript3: transcript3))
    }
}
