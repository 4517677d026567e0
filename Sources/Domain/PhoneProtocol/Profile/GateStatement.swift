import Cryptography

/// What a gate said of itself in message_2 and how it proved it, kept inside `TapEvidence`. It makes up TH_3, so
/// that a phone's signature over TH_3 is a signature over all of this.
public struct GateStatement: Hashable, Sendable {
    /// TH_2, 32 bytes.
    public let transcript2: [UInt8]
    /// PLAINTEXT_2.
    public let plaintext2: [UInt8]
    /// MAC_2, which the gate's signature vouches for (methods 0 and 2).
    public let mac2: [UInt8]
    /// CRED_R.
    public let credential: [UInt8]
    /// The method of the exchange.
    let method: EDHOCMethod

    init(_ said: ResponderProof, method: EDHOCMethod) {
        self.init(
            transcript2: said.transcript2, plaintext2: said.plaintext2, mac2: said.mac2, credential: said.credential,
            method: method)
    }

    init(transcript2: [UInt8], plaintext2: [UInt8], mac2: [UInt8], credential: [UInt8], method: EDHOCMethod) {
        self.transcript2 = transcript2
        self.plaintext2 = plaintext2
        self.mac2 = mac2
        self.credential = credential
        self.method = method
    }

    /// PLAINTEXT_2 in its parts, nil if it is none. Evidence does not name the suite, and a MAC has one of two
    /// lengths.
    var parts: AuthenticatedPlaintext? {
        let lengths = method.responderUsesSignature
            ? [CipherSuite.signatureLength] : CipherSuite.macLengths
        for length in lengths {
            if let parts = try? AuthenticatedPlaintext(
                parsing: plaintext2, hasConnectionIdentifier: true, proofLength: length) { return parts }
        }
        return nil
    }

    /// What EAD_2 says: gate, lane, carrier, time; nil if it is none of this profile.
    public var context: GateContext? {
        parts?.ead.soleValue(PhoneProtocolProfile.gateContextLabel).flatMap { GateContext(value: $0) }
    }

    /// TH_3 = H(TH_2, PLAINTEXT_2, CRED_R).
    public var transcript3: [UInt8] {
        KeySchedule.transcript(after: transcript2, plaintext: plaintext2, credential: credential)
    }

    /// Whether the gate proved itself by a signature (methods 0 and 2); a MAC convinced only the phone.
    public var isSignature: Bool { method.responderUsesSignature }

    /// Whether the holder of this key made the signature in message_2. Always false for a MAC.
    public func isSigned(by key: PublicKey) -> Bool {
        guard isSignature, let parts else { return false }
        let context = ProofContext(
            identifier: parts.identifier.map, transcript: transcript2, credential: credential, ead: parts.eadField)
        return key.verify(parts.proof, over: context.toBeSigned(mac: mac2))
    }
}
