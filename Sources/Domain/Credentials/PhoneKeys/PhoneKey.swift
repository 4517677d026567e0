import Cryptography
import Encoding

/// A phone's public key as somebody brings it, in whichever form the phone's app or a tool wrote it. It is on P-256.
public struct PhoneKey: Hashable, Sendable {
    /// The key.
    public let key: PublicKey
    /// What its private half does; nil where the form does not say it.
    public let use: KeyUse?
    /// `kid` of a COSE_Key, by which a phone may name the key. Other forms have none; that of a JWK is a name in another world.
    public let keyIdentifier: [UInt8]?

    /// The longest text or file that is read, in bytes.
    public static let longest = 16_384

    /// A key.
    public init(key: PublicKey, use: KeyUse? = nil, keyIdentifier: [UInt8]? = nil) {
        self.key = key
        self.use = use
        self.keyIdentifier = keyIdentifier
    }

    /// Reads a key in one of the forms: a public key file of ours, PEM, JWK, a SubjectPublicKeyInfo in DER, COSE_Key, a point (SEC 1, 2.3.3);
    /// the last three also in hexadecimal. The form is told by how the bytes begin, and nothing may stand beside the key.
    /// - Throws: `privateKey` for a private key in whichever form, before anything else is said of it.
    public init(parsing bytes: [UInt8]) throws(PhoneKeyError) {
        guard bytes.count <= Self.longest else { throw .tooLong }
        // Windows puts a byte-order mark before text.
        let text = Self.trimmed(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]), string = String(decoding: text, as: UTF8.self)
        if let digits = try? Hex.decode(string), !digits.isEmpty {
            self = try Self.binary(digits)
            return
        }
        let lines = string.split(whereSeparator: \.isNewline).map { $0.drop { $0.isWhitespace } }
        if lines.contains(where: { $0.hasPrefix("-----BEGIN ") }) {
            self = try Self.armoured(text, lines)
        } else if text.first == UInt8(ascii: "{") {
            self = try Self.jwk(text)
        } else if let information = try? Base64.decode(string.filter { !$0.isWhitespace }), information.first == 0x30 {
            // The middle of a PEM file.
            self = try Self.binary(information)
        } else {
            // Other text is none of the forms, whatever its first character would be as a byte.
            guard text.contains(where: { !(0x20...0x7E).contains($0) && !Self.isSpace($0) }) else { throw .unknownForm }
            self = try Self.binary(bytes)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else { return [] }
        return Array(bytes[first...last])
    }

    private static func armoured(_ text: [UInt8], _ lines: [Substring]) throws(PhoneKeyError) -> PhoneKey {
        let heads = lines.filter { $0.hasPrefix("-----BEGIN ") }
        if heads.contains(where: { $0.contains("PRIVATE KEY") }) { throw .privateKey }
        guard heads.count == 1, let head = heads.first else { throw .several }
        if head.hasPrefix("-----BEGIN CERTIFICATE") { throw .certificate }
        if head.hasPrefix("-----BEGIN TAPSTILE") { return try ours(text) }
        guard lines.first == head, lines.last?.hasPrefix("-----END ") == true else { throw .trailingBytes }
        guard let bytes = PEM.publicKey(String(decoding: text, as: UTF8.self)) else { throw .malformed(.pem) }
        return try information(bytes)
    }

    private static func ours(_ text: [UInt8]) throws(PhoneKeyError) -> PhoneKey {
        let file: KeyFile
        do throws(KeyFileError) { file = try KeyFile(parsing: text) } catch { throw .keyFile(error) }
        guard file.role == .phone else { throw .wrongRole(file.role) }
        guard file.curve == .p256 else { throw .wrongCurve }
        return PhoneKey(key: file.publicKey, use: file.use)
    }

    private static func binary(_ bytes: [UInt8]) throws(PhoneKeyError) -> PhoneKey {
        guard let first = bytes.first else { throw .unknownForm }
        switch first {
        case 0x30: return try information(bytes)
        // A map of CBOR.
        case 0xA0...0xBF: return try coseKey(bytes)
        // A point with the private value behind it, as Apple's interfaces write a private key.
        case 0x04 where bytes.count == 1 + 3 * Curve.coordinateLength: throw .privateKey
        case 0x02, 0x03, 0x04: return try point(bytes)
        default: throw .unknownForm
        }
    }

    private static func point(_ bytes: [UInt8]) throws(PhoneKeyError) -> PhoneKey {
        do throws(CryptographyError) {
            return PhoneKey(key: try PublicKey(p256Point: bytes))
        } catch {
            throw error == .wrongLength ? .malformed(.point) : .pointNotOnCurve
        }
    }

    private static func information(_ bytes: [UInt8]) throws(PhoneKeyError) -> PhoneKey {
        do throws(KeyInformationFault) {
            return PhoneKey(key: try PublicKey(anyP256SubjectPublicKeyInfo: bytes))
        } catch {
            switch error {
            case .privateKey: throw .privateKey
            case .certificate: throw .certificate
            case .otherCurve: throw .wrongCurve
            case .pointNotOnCurve: throw .pointNotOnCurve
            case .trailingBytes: throw .trailingBytes
            case .malformed: throw .malformed(.der)
            }
        }
    }
}

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
