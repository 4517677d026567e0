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
        guard var outer = file.takeSequence() else { throw .malformed }
        if outer.begins(with: .integer) {
            guard let version = outer.take(.integer) else { throw .malformed }
            // An RSA key alone (RFC 8017, A.1.1) begins with its modulus, which is longer than any version.
            throw version.count == 1 ? .privateKey : .otherCurve
        }
        guard var algorithm = outer.takeSequence() else { throw .malformed }
        // The version of a certificate, or its number where it says no version.
        if algorithm.begins(with: .context0) || algorithm.begins(with: .integer) { throw .certificate }
        guard let kind = algorithm.take(.objectIdentifier) else { throw .malformed }
        if outer.begins(with: .octetString) { throw .privateKey }
        guard let point = outer.takeBitString(), outer.isAtEnd else { throw .malformed }
        guard kind.elementsEqual(Self.ecPublicKey), let curve = algorithm.take(.objectIdentifier), curve.elementsEqual(Self.prime256v1),
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
