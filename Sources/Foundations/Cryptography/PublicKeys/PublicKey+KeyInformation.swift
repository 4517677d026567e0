import Encoding

/// Why bytes are no SubjectPublicKeyInfo of a P-256 key.
public enum KeyInformationFault: Error, Hashable, Sendable {
    /// They are a private key: PKCS #8, also encrypted (RFC 5958), RFC 5915, or a container of keys (RFC 7292).
    case privateKey
    /// They are a certificate (RFC 5280, 4.1).
    case certificate
    /// The key is of another kind, on another curve, or on one that is written out and not named.
    case otherCurve
    /// The point is not on the curve.
    case pointNotOnCurve
    /// Bytes follow the key.
    case trailingBytes
    /// They are nothing of these, or not in DER.
    case malformed
}

extension PublicKey {
    /// Reads a P-256 key as a SubjectPublicKeyInfo (RFC 5480, 2) as others may write it: the point uncompressed or compressed.
    public init(anyP256SubjectPublicKeyInfo bytes: [UInt8]) throws(KeyInformationFault) {
        var file = DERReader(bytes)
        guard var outer = file.readSequence() else { throw .malformed }
        if outer.begins(with: .integer) {
            guard let version = outer.read(.integer) else { throw .malformed }
            // An RSA key alone (RFC 8017, A.1.1) begins with its modulus, which is longer than any version.
            throw version.count == 1 ? .privateKey : .otherCurve
        }
        guard var algorithm = outer.readSequence() else { throw .malformed }
        // The version of a certificate, or its number where it says no version.
        if algorithm.begins(with: .context(0)) || algorithm.begins(with: .integer) { throw .certificate }
        guard let kind = algorithm.read(.objectIdentifier) else { throw .malformed }
        if outer.begins(with: .octetString) { throw .privateKey }
        guard let point = outer.readBitString(), outer.isAtEnd else { throw .malformed }
        guard kind.elementsEqual(Self.ecPublicKey), let curve = algorithm.read(.objectIdentifier), curve.elementsEqual(Self.prime256v1),
              algorithm.isAtEnd else { throw .otherCurve }
        guard file.isAtEnd else { throw .trailingBytes }
        do throws(CryptographyError) {
            try self.init(p256Point: Array(point))
        } catch {
            throw error == .wrongLength ? .malformed : .pointNotOnCurve
        }
    }

    /// Reads a point of P-256: `04`, x, y, or compressed `02` or `03`, x (SEC 1, 2.3.4).
    /// - Throws: `wrongLength` for any other form, `pointNotOnCurve`.
    public init(p256Point bytes: [UInt8]) throws(CryptographyError) {
        guard let head = bytes.first else { throw .wrongLength }
        let length = Curve.coordinateLength, rest = Array(bytes.dropFirst())
        switch head {
        case 0x04 where rest.count == 2 * length: try self.init(curve: .p256, x: Array(rest.prefix(length)), y: Array(rest.suffix(length)))
        case 0x02 where rest.count == length: try self.init(compressedP256: rest, yIsOdd: false)
        case 0x03 where rest.count == length: try self.init(compressedP256: rest, yIsOdd: true)
        default: throw .wrongLength
        }
    }

    /// 1.2.840.10045.2.1 and 1.2.840.10045.3.1.7 (RFC 5480, 2.1.1).
    private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    private static let prime256v1: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
}

extension PublicKey {
    /// Reads a P-256 key as a SubjectPublicKeyInfo (RFC 5480, 2) with the curve by its name and the point
    /// uncompressed, which is one form of 91 bytes; nil for anything else, and for a point that is not on the curve.
    public init?(p256SubjectPublicKeyInfo bytes: [UInt8]) {
        guard bytes.count == Self.p256InformationHead.count + 2 * Curve.coordinateLength, bytes.starts(with: Self.p256InformationHead) else { return nil }
        let point = bytes[Self.p256InformationHead.count...]
        let x = Array(point.prefix(Curve.coordinateLength)), y = Array(point.suffix(Curve.coordinateLength))
        guard let key = try? PublicKey(curve: .p256, x: x, y: y) else { return nil }
        self = key
    }

    /// What stands before x and y: SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING { 04 …
    public static let p256InformationHead: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, // id-ecPublicKey
        0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, // prime256v1
        0x03, 0x42, 0x00, 0x04
    ]
}

extension PublicKey {
    /// Whether everybody has the private half: it is a small number, or stands in a document that everybody reads. Of a point of P-256 x decides:
    /// whoever has the private value of one sign has that of the other.
    public var isWellKnown: Bool {
        switch curve {
        case .p256: WellKnownKeys.p256.contains(x)
        case .ed25519: WellKnownKeys.ed25519.contains(x)
        case .x25519: false
        }
    }
}

/// Keys that examples and tests are made of, ours and other people's.
private enum WellKnownKeys {
    /// Private values that somebody types to try something: 1 to this one.
    private static let smallest = 256

    static let p256 = Set(P256Point.multiplesOfTheGenerator(smallest)).union(published.map(bytes))
    static let ed25519 = Set(publishedEd25519.map(bytes))

    private static func bytes(_ digits: String) -> [UInt8] { (try? Hex.decode(digits)) ?? [] }

    private static let published = [
        // RFC 9529 (EDHOC traces), 3.2: initiator and responder; lakers and others have them built in.
        "ac75e9ece3e50bfc8ed60399889522405c47bf16df96660a41298cb4307f7eb6",
        "bbc34960526ea4d32e940cad2a234148ddc21791a12afbcbac93622046dd44f0",
        // RFC 8392 (CWT), A.2.3.
        "143329cce7868e416927599cf65a34f3ce2ffda55a7eca69ed8919a394d42f0f",
        // RFC 8152 and 9052 (COSE), C.7: "11", meriadoc, peregrin.
        "bac5b11cad8f99f9c72b05cf4b9e26d244dc189f745228255a219a86d6a09eff",
        "65eda5a12577c2bae829437fe338701a10aaa375e1bb5b5de108de439c08551d",
        "98f50a4ff6c05861c8860d13a638ea56c3f5ad7590bbfbf054e1c7b4d91d6280",
        // RFC 6979 (deterministic ECDSA), A.2.5.
        "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6",
        // RFC 5903 (ECP groups for IKE), 8.1: i and r.
        "dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180",
        "d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63",
        // RFC 7515 (JWS), A.3; RFC 7517 (JWK), A.1; RFC 7518 (JWA), C: Alice, Bob.
        "7fcdce2770f6c45d4183cbee6fdb4b7b580733357be9ef13bacf6e3c7bd15445",
        "30a0424cd21c2944838a2d75c92b37e76ea20d9f00893a3b4eee8a3c0aafec3e",
        "808d060082c176eed3e776a4ac598cc8672c1779f974eecc9b03411ca5b9495d",
        "c1e349cb61ec70248ce801034c3834e1b88ebe1161cb25af38741f785fcfc4c4",
        // docs/worked-exchanges.md: gate, phone, issuer.
        "b3398c9a611758f392f57c027054422cfb7121844455c9f052a5b28aa7d5a4c8",
        "fc86f05733c61b4d68edb12018b34a63b63c53c84b90658ed27bdaa948ca07bd",
        "0f9c0666b7cb59740d07c8c76f480cc9c00fa371214e51b0668551caaaffa693"
    ]

    private static let publishedEd25519 = [
        // RFC 8032, 7.1: tests 1 to 3.
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        // A seed of zeros.
        "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"
    ]
}
