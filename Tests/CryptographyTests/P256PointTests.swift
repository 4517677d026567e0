import Testing
@testable import Cryptography

/// A point by itself is judged as libcrypto judges a key that is made of it.
@Suite struct P256PointTests {
    private static let prime: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF
    ]

    /// Whether libcrypto makes a key of them, which it does of points alone.
    private static func isPoint(_ x: [UInt8], _ y: [UInt8]) -> Bool { (try? PublicKey(curve: .p256, x: x, y: y, isForUse: true)) != nil }

    private static func number(_ value: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 31) + [value] }

    /// p − value, for a value of one byte that is less than 256.
    private static func belowPrime(_ value: UInt8) -> [UInt8] { prime.dropLast() + [0xFF - value] }

    @Test("Points that libcrypto makes are on the curve, their neighbours are not (P-256)")
    func points() throws {
        for _ in 0..<500 {
            let key = try SigningKey.generate(.p256).publicKey
            let (x, y) = (key.x, try #require(key.y))
            #expect(P256Point.isOnCurve(x: x, y: y))
            #expect(!P256Point.isOnCurve(x: y, y: x))
            for place in [0, 7, 8, 15, 16, 23, 24, 31] {
                var other = x
                other[place] ^= 1
                #expect(P256Point.isOnCurve(x: other, y: y) == Self.isPoint(other, y))
                other = y
                other[place] ^= 0x80
                #expect(P256Point.isOnCurve(x: x, y: other) == Self.isPoint(x, other))
            }
        }
    }

    @Test("At the edges of the field, where numbers carry and wrap, libcrypto says the same (P-256)")
    func edges() {
        var values = (0...6).map { Self.number($0) } + (0...6).map { Self.belowPrime($0) } + [[UInt8](repeating: 0xFF, count: 32)]
        values += (0..<32).map { place in (0..<32).map { $0 == place ? 1 : 0 } }
        values += (0..<32).map { place in Self.prime.enumerated().map { $0.offset == place ? 0 : $0.element } }
        var found = 0
        for x in values {
            for isOdd in [false, true] {
                guard let y = P256Point.y(x: x, isOdd: isOdd) else { continue }
                #expect(P256Point.isOnCurve(x: x, y: y))
                found += 1
            }
            for y in values { #expect(P256Point.isOnCurve(x: x, y: y) == Self.isPoint(x, y)) }
        }
        #expect(found > 20)
    }

    @Test("Coordinates that are not reduced are none, also where they would fit the equation (P-256)")
    func unreduced() throws {
        // x = 0 has points; p stands for the same number.
        let y = try #require(P256Point.y(x: Self.number(0), isOdd: false))
        #expect(P256Point.isOnCurve(x: Self.number(0), y: y))
        #expect(!P256Point.isOnCurve(x: Self.prime, y: y))
        #expect(!P256Point.isOnCurve(x: [], y: y))
        #expect(P256Point.isOnCurve(x: Self.number(0), y: y))
    }
}
