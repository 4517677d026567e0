/// The three widths of floating-point numbers in CBOR (RFC 8949, 3.3; IEEE 754 binary16, 32, 64).
///
/// Half precision is converted here in integer arithmetic, since `Float16` is not there on every
/// platform.
enum CBORFloat: Equatable {
    case half(UInt16)
    case single(UInt32)
    case double(UInt64)

    /// The only NaN of the deterministic encoding.
    static let canonicalNaN = CBORFloat.half(0x7E00)

    /// The shortest form that keeps the value (RFC 8949, 4.2.1); every NaN becomes `canonicalNaN`.
    static func shortest(_ value: Double) -> CBORFloat {
        if value.isNaN { return canonicalNaN }
        let single = Float(value)
        guard Double(single) == value else { return .double(value.bitPattern) }
        return narrow(single).map(CBORFloat.half) ?? .single(single.bitPattern)
    }

    /// The value of the number.
    var value: Double {
        switch self {
        case .half(let bits): CBORFloat.widen(half: bits)
        case .single(let bits): Double(Float(bitPattern: bits))
        case .double(let bits): Double(bitPattern: bits)
        }
    }

    /// Half precision: 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits.
    private static func widen(half bits: UInt16) -> Double {
        let exponent = Int(bits >> 10) & 0x1F
        let fraction = Double(bits & 0x3FF)
        let magnitude: Double =
            switch exponent {
            case 0: fraction * 0x1p-24
            case 31: fraction == 0 ? .infinity : .nan
            default: Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction * 0x1p-10)
            }
        return bits & 0x8000 == 0 ? magnitude : -magnitude
    }

    /// The half precision form of `value` if that loses nothing; nil otherwise. `value` is no NaN.
    private static func narrow(_ value: Float) -> UInt16? {
        let bits = value.bitPattern
        let sign = UInt16(truncatingIfNeeded: bits >> 16) & 0x8000
        let exponent = Int(bits >> 23) & 0xFF
        let fraction = bits & 0x7F_FFFF
        switch exponent {
        case 0:
            // Zero; the subnormal numbers of single precision are too small for half.
            return fraction == 0 ? sign : nil
        case 255:
            return sign | 0x7C00
        case 113...142:
            // Normal in both: exponents -14 to 15, 10 of 23 fraction bits.
            guard fraction & 0x1FFF == 0 else { return nil }
            return sign | UInt16(exponent - 112) << 10 | UInt16(fraction >> 13)
        case 103...112:
            // Subnormal in half: the leading one becomes visible and moves right.
            let shift = UInt32(126 - exponent)
            let significand = fraction | 0x80_0000
            guard significand & (1 << shift - 1) == 0 else { return nil }
            return sign | UInt16(significand >> shift)
        default:
            return nil
        }
    }
}
