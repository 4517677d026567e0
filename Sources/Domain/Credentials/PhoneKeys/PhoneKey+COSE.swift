import Cryptography
import Encoding

/// A COSE_Key (RFC 9052, 7; RFC 9053, 7.1.1), which comes from others: well-formed CBOR is enough.
extension PhoneKey {
    private enum Label {
        static let type: CBOR = 1
        static let algorithm: CBOR = 3
        static let curve: CBOR = -1
        static let privateValue: CBOR = -4
    }

    private static let ellipticType: Int64 = 2, symmetricType: Int64 = 4
    private static let p256: Int64 = 1

    static func coseKey(_ bytes: [UInt8]) throws(PhoneKeyError) -> PhoneKey {
        let item: CBOR
        do throws(CBORError) {
            item = try CBOR.decode(bytes, rules: .wellFormed)
        } catch {
            throw error.kind == .trailingBytes ? .trailingBytes : .malformed(.cose)
        }
        guard let map = item.map, let type = map[Label.type]?.integer else { throw .malformed(.cose) }
        guard map[Label.privateValue] == nil, type != symmetricType else { throw .privateKey }
        guard type == ellipticType, map[Label.curve]?.integer == p256 else { throw .wrongCurve }
        let cose: COSEKey
        do throws(COSEError) {
            cose = try COSEKey(cbor: item)
        } catch {
            switch error {
            case .invalidPoint: throw .pointNotOnCurve
            case .unsupportedKey: throw .unclearUse
            case .notCBOR, .notSign1, .wrongTag, .duplicateHeader, .criticalHeader, .detachedPayload, .notAKey, .signingFailed:
                throw .malformed(.cose)
            }
        }
        return PhoneKey(key: cose.key, use: try use(of: cose, algorithm: map[Label.algorithm]), keyIdentifier: cose.keyIdentifier)
    }

    /// `alg` narrows what a key may do as `key_ops` do (RFC 9052, 7.1): ES256 and ESP256 sign; ECDH-ES and ECDH-SS agree (RFC 9053, 6.3, 6.4).
    private static func use(of cose: COSEKey, algorithm: CBOR?) throws(PhoneKeyError) -> KeyUse? {
        guard let algorithm else { return cose.use }
        guard let number = algorithm.integer else { throw .unclearUse }
        let said: KeyUse
        switch number {
        case -7, -9: said = .sign
        case (-34)...(-25): said = .agree
        default: throw .unclearUse
        }
        guard (cose.use ?? said) == said else { throw .unclearUse }
        return said
    }
}
