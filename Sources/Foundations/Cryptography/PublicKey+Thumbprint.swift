extension PublicKey {
    /// COSE Key thumbprint with SHA-256 (RFC 9679, 4): the hash of the deterministic COSE_Key with
    /// its required members only. For a P-256 point given by x alone, of the one with even y.
    public var thumbprint: [UInt8] {
        switch curve {
        case .p256:
            // {1: 2 (EC2), -1: 1 (P-256), -2: x, -3: y}
            let y = y ?? P256Point.y(x: x, isOdd: false) ?? []
            var form: [UInt8] = []
            form.reserveCapacity(Self.p256FormLength)
            form += Self.p256Head
            form += x
            form += Self.p256Middle
            form += y
            return SHA256.hash(form)
        case .x25519, .ed25519:
            // {1: 1 (OKP), -1: curve, -2: x}
            return SHA256.hash([0xA3, 0x01, 0x01, 0x20, UInt8(curve.rawValue), 0x21, 0x58, 0x20] + x)
        }
    }

    private static let p256Head: [UInt8] = [0xA4, 0x01, 0x02, 0x20, 0x01, 0x21, 0x58, 0x20]
    private static let p256Middle: [UInt8] = [0x22, 0x58, 0x20]
    private static let p256FormLength = p256Head.count + p256Middle.count + 2 * Curve.coordinateLength

    /// The `kid` of a key that nobody gave another one: the first 8 bytes of its thumbprint, long enough that a million keys
    /// have no two alike.
    public var usualKeyIdentifier: [UInt8] { Array(thumbprint.prefix(8)) }
}
