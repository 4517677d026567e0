import Credentials
import Cryptography
import Encoding

/// Something under the signature of a gate's audit key: an untagged COSE_Sign1 (RFC 9052, 4.2) with ES256. It has one form
/// only: type and key identifier are protected, nothing is unprotected.
struct AuditSeal: Hashable, Sendable {
    /// What was signed.
    let payload: [UInt8]
    /// The thumbprint of the audit key that is said to have signed, 32 bytes.
    let keyIdentifier: [UInt8]
    private let toBeSigned: [UInt8]
    private let signature: [UInt8]

    private static let thumbprintLength = 32

    /// Reads one of a type (RFC 9596); nil for anything else. Whether the signature is good is for `isSigned`.
    init?(parsing raw: [UInt8], type: String) {
        guard let signed = try? COSESign1(parsing: raw),
              let identifier = signed.protected[COSEHeader.keyIdentifier]?.bytes, identifier.count == Self.thumbprintLength,
              signed.protected == Self.header(identifier, type), signed.unprotected.isEmpty,
              signed.signature.count == SignatureAlgorithm.signatureLength
        else { return nil }
        payload = signed.payload
        keyIdentifier = identifier
        toBeSigned = signed.toBeSigned()
        signature = signed.signature
    }

    /// The bytes of a signed payload; nil if the key cannot sign it.
    static func sign(_ payload: [UInt8], type: String, key: SigningKey) -> [UInt8]? {
        guard key.algorithm == .es256 else { return nil }
        return try? COSESign1.sign(payload: payload, protected: header(key.publicKey.thumbprint, type), key: key).encoded
    }

    /// Whether the holder of this key signed it.
    func isSigned(by key: PublicKey) -> Bool { keyIdentifier == key.thumbprint && key.verify(signature, over: toBeSigned) }

    private static func header(_ identifier: [UInt8], _ type: String) -> CBORMap {
        [COSEHeader.algorithm: CBOR(SignatureAlgorithm.es256.rawValue), COSEHeader.keyIdentifier: .bytes(identifier),
         COSEHeader.type: .text(type)]
    }
}
