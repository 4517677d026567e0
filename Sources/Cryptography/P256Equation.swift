/// Whether two coordinates are those of a point of P-256 (SP 800-186, 3.2.1.3), worked out with numbers of four words.
///
/// It is asked of each key of a site, and libcrypto makes and clears more objects for the answer than there is arithmetic in it. Coordinates of
/// public keys are no secret: nothing here takes the same time for all of them. Products are Montgomery's: each is divided by R = 2^256
/// (P. L. Montgomery, "Modular Multiplication Without Trial Division", 1985).
enum P256Equation {
    /// Whether y² = x³ − 3x + b, both being below p.
    static func holds(x: [UInt8], y: [UInt8]) -> Bool {
        guard let x = P256Number(bytes: x), let y = P256Number(bytes: y) else { return false }
        // Each product loses a factor R; both sides have lost R² when they are compared.
        let left = y.product(y).product(.one)
        let right = x.product(x).difference(three).product(x).sum(b)
        return left == right
    }

    /// 3 / R.
    private static let three = P256Number(3, 0, 0, 0).product(.one)
    /// b / R².
    private static let b = P256Number(0x3BCE_3C3E_27D2_604B, 0x651D_06B0_CC53_B0F6, 0xB3EB_BD55_7698_86BC, 0x5AC6_35D8_AA3A_93E7)
        .product(.one).product(.one)
}
