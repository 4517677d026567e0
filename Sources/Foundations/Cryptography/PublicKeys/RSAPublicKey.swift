import Encoding

/// An RSA key that checks signatures of others: those of repositories (RSASSA-PSS, RFC 8017, 8.1), and in `CertificateKey` those of
/// certificates. Equal when modulus and exponent are.
public struct RSAPublicKey: Hashable, Sendable {
    /// The TUF specification (4.3) wants 2048 bits at least. The upper bound keeps a hostile key from costing much.
    public static let modulusBits = 2048...4096
    /// Bytes of the exponent; nearly every key has 65,537. Checking costs one squaring for each bit.
    private static let longestExponent = 4

    /// The modulus, without zeros before it.
    public let modulus: [UInt8]
    /// The exponent, without zeros before it; odd.
    public let exponent: [UInt8]
    let library: LibraryKey

    /// Reads a SubjectPublicKeyInfo (RFC 3279, 2.3.1) in its one form; nil for anything else.
    public init?(subjectPublicKeyInfo bytes: [UInt8]) {
        var file = DERReader(bytes)
        guard var outer = file.readSequence(), file.isAtEnd, outer.read(exactly: Self.algorithm),
              var inner = outer.readBytesOfBitString(), outer.isAtEnd, var key = inner.readSequence(), inner.isAtEnd,
              let modulus = key.readPositive(), let exponent = key.readPositive(), key.isAtEnd else { return nil }
        self.init(modulus: modulus, exponent: exponent)
    }

    private init?(modulus: [UInt8], exponent: [UInt8]) {
        guard let first = modulus.first, let last = exponent.last, last & 1 == 1, exponent != [1],
              exponent.count <= Self.longestExponent,
              Self.modulusBits.contains(modulus.count * 8 - first.leadingZeroBitCount),
              let library = LibraryKey.rsaPublicKey(modulus: modulus, exponent: exponent) else { return nil }
        self.modulus = modulus
        self.exponent = exponent
        self.library = library
    }

    /// rsaEncryption with NULL as its parameters (RFC 3279, 2.3.1).
    private static let algorithm: [UInt8] = [
        0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00
    ]

    /// Whether the private key of this one made the signature over `message`: RSASSA-PSS with SHA-256, MGF1 with
    /// SHA-256, and a salt of any length, as there are signers of each.
    public func verify(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        signature.count == modulus.count && library.verifyPSS(signature, message: message)
    }

    public static func == (left: RSAPublicKey, right: RSAPublicKey) -> Bool {
        left.modulus == right.modulus && left.exponent == right.exponent
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(modulus)
        hasher.combine(exponent)
    }
}
