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
