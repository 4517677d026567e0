/// The two forms of an ECDSA signature on P-256: r || s as COSE has it (RFC 9053, 2.1), and the
/// DER structure that libraries read and write (RFC 3279, 2.2.3).
enum ECDSASignature {
    private static let scalarLength = 32
    /// SEQUENCE of two INTEGERs of at most 33 bytes.
    static let longestDER = 72

    /// DER of a signature given as 64 bytes.
    static func der(raw: [UInt8]) -> [UInt8] {
        let r = integer(raw[..<scalarLength])
        let s = integer(raw[scalarLength...])
        var der: [UInt8] = []
        der.reserveCapacity(longestDER)
        der.append(0x30)
        der.append(UInt8(r.length + s.length + 4))
        append(r, to: &der)
        append(s, to: &der)
        return der
    }

    /// 64 bytes of a signature that the library made; nil if it is not such a structure.
    static func raw(der: [UInt8]) -> [UInt8]? {
        guard der.count > 2, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
        var raw: [UInt8] = []
        raw.reserveCapacity(2 * scalarLength)
        var rest = der[2...]
        for _ in 0..<2 {
            guard let scalar = readInteger(&rest) else { return nil }
            raw += repeatElement(0, count: scalarLength - scalar.count)
            raw += scalar
        }
        return rest.isEmpty ? raw : nil
    }

    private typealias Integer = (digits: ArraySlice<UInt8>, needsSign: Bool, length: Int)

    private static func integer(_ scalar: ArraySlice<UInt8>) -> Integer {
        var digits = scalar
        while digits.count > 1, digits.first == 0 { digits = digits.dropFirst() }
        let needsSign = (digits.first ?? 0) & 0x80 != 0
        return (digits, needsSign, digits.count + (needsSign ? 1 : 0))
    }

    private static func append(_ integer: Integer, to der: inout [UInt8]) {
        der.append(0x02)
        der.append(UInt8(integer.length))
        if integer.needsSign { der.append(0) }
        der += integer.digits
    }

    private static func readInteger(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.popFirst() == 0x02, let length = rest.popFirst(), length <= rest.count else { return nil }
        var digits = rest.prefix(Int(length))
        rest = rest.dropFirst(Int(length))
        while digits.count > scalarLength, digits.first == 0 { digits = digits.dropFirst() }
        return digits.count <= scalarLength ? digits : nil
    }
}
