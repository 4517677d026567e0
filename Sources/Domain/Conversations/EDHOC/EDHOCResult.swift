/// A completed exchange, seen from either side.
public struct EDHOCResult: Sendable {
    public let method: EDHOCMethod
    public let suite: CipherSuite
    /// TH_4: names the whole exchange, identities included.
    public let transcript4: [UInt8]
    /// What message_2 said and proved.
    let responder: ResponderProof
    /// What the initiator's proof was made over.
    let proof: ProofContext
    /// Signature_or_MAC_3.
    let proofField: [UInt8]
    /// MAC_3, which a signature vouches for.
    let mac3: [UInt8]
    let prk4e3m: [UInt8]

    /// The keys for what follows. Derived when asked for: a gate decides first.
    public var session: EDHOCSession {
        EDHOCSession(suite: suite, prk4e3m: prk4e3m, transcript4: transcript4)
    }
}
