import Cryptography
import Encoding

/// A phone's proof, kept so that it can be checked again years later: everything that its signature
/// was made over. A MAC (methods 2 and 3) convinces only the gate that made the keys, and is kept
/// for completeness.
public struct Evidence: Hashable, Sendable {
    public let method: EDHOCMethod
    /// ID_CRED_I; it contains the credential where that came by value.
    public let identifier: [UInt8]
    /// TH_3.
    public let transcript: [UInt8]
    /// CRED_I.
    public let credential: [UInt8]
    /// EAD_3: what the phone asked for.
    public let ead: [UInt8]
    /// MAC_3.
    public let mac: [UInt8]
    /// Signature_or_MAC_3.
    public let proof: [UInt8]

    init(of result: EDHOCResult) {
        method = result.method
        identifier = result.proof.identifier
        transcript = result.proof.transcript
        credential = result.proof.credential
        ead = result.proof.ead
        mac = result.mac3
        proof = result.proofField
    }

    /// `[method, ID_CRED_I, TH_3, CRED_I / null, EAD_3, MAC_3, Signature_or_MAC_3]`, all but the
    /// first byte strings; CRED_I is null where ID_CRED_I ends with it.
    public var encoded: [UInt8] {
        CBOR.array([
            CBOR(method.rawValue), .bytes(identifier), .bytes(transcript),
            isCredentialInIdentifier ? .null : .bytes(credential), .bytes(ead), .bytes(mac), .bytes(proof)
        ]).encoded
    }

    private var isCredentialInIdentifier: Bool {
        guard let named = try? CredentialIdentifier(map: identifier) else { return false }
        return Self.value(of: named) == credential
    }

    private static func value(of identifier: CredentialIdentifier) -> [UInt8]? {
        switch identifier.kind {
        case .token(let bytes), .claims(let bytes): bytes
        case .keyIdentifier, .other: nil
        }
    }

    /// Reads what `encoded` wrote; nil if it is something else.
    public init?(parsing bytes: [UInt8]) {
        guard let fields = try? CBOR.decode(bytes).array, fields.count == 7,
              let method = fields[0].integer.flatMap({ Int(exactly: $0) }).flatMap(EDHOCMethod.init(rawValue:)),
              let identifier = fields[1].bytes, let named = try? CredentialIdentifier(map: identifier),
              let transcript = fields[2].bytes,
              let credential = fields[3].isNull ? Self.value(of: named) : fields[3].bytes,
              let ead = fields[4].bytes, let mac = fields[5].bytes, let proof = fields[6].bytes
        else { return nil }
        self.method = method
        self.identifier = identifier
        self.transcript = transcript
        self.credential = credential
        self.ead = ead
        self.mac = mac
        self.proof = proof
    }

    /// Whether the holder of this key made the signature. Always false for a MAC.
    public func isSigned(by key: PublicKey) -> Bool {
        guard method.initiatorUsesSignature else { return false }
        let context = ProofContext(identifier: identifier, transcript: transcript, credential: credential, ead: ead)
        return key.verify(proof, over: context.toBeSigned(mac: mac))
    }
}
