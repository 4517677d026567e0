/// A number below p = 2^256 − 2^224 + 2^192 + 2^96 − 1, the prime of P-256: four words, the least first.
struct P256Number: Equatable {
    private let a: UInt64
    private let b: UInt64
    private let c: UInt64
    private let d: UInt64

    static let one = P256Number(1, 0, 0, 0)

    private static let p = (a: UInt64.max, b: UInt64(0xFFFF_FFFF), c: UInt64(0), d: UInt64(0xFFFF_FFFF_0000_0001))

    /// The caller knows that it is below p.
    init(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    /// Reads 32 bytes, the greatest first; nil for a number that is not below p, and for another count of bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == Curve.coordinateLength else { return nil }
        func word(_ place: Int) -> UInt64 { bytes[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(word(24), word(16), word(8), word(0))
        guard !Self.reduced(a, b, c, d, carry: 0).wasReduced else { return nil }
    }

    /// The sum, below p.
    func sum(_ other: P256Number) -> P256Number {
        let (a, first) = Self.add(a, other.a, 0)
        let (b, second) = Self.add(b, other.b, first)
        let (c, third) = Self.add(c, other.c, second)
        let (d, carry) = Self.add(d, other.d, third)
        return Self.reduced(a, b, c, d, carry: carry).number
    }

    /// The difference, below p.
    func difference(_ other: P256Number) -> P256Number {
        let (a, first) = Self.subtract(a, other.a, 0)
        let (b, second) = Self.subtract(b, other.b, first)
        let (c, third) = Self.subtract(c, other.c, second)
        let (d, borrow) = Self.subtract(d, other.d, third)
        guard borrow != 0 else { return P256Number(a, b, c, d) }
        let (w, one) = Self.add(a, Self.p.a, 0)
        let (x, two) = Self.add(b, Self.p.b, one)
        let (y, three) = Self.add(c, Self.p.c, two)
        return P256Number(w, x, y, Self.add(d, Self.p.d, three).sum)
    }

    /// The product divided by 2^256, below p.
    func product(_ other: P256Number) -> P256Number {
        var sum = Partial()
        sum.add(self, times: other.a)
        sum.add(self, times: other.b)
        sum.add(self, times: other.c)
        sum.add(self, times: other.d)
        return Self.reduced(sum.a, sum.b, sum.c, sum.d, carry: sum.e).number
    }

    /// What has been added up of a product so far: below 2p after each step.
    private struct Partial {
        var a: UInt64 = 0, b: UInt64 = 0, c: UInt64 = 0, d: UInt64 = 0, e: UInt64 = 0

        /// Adds a product with one word and divides by 2^64. A multiple of p makes the lowest word zero: p is −1 there, so that it is
        /// the word itself times p.
        mutating func add(_ number: P256Number, times word: UInt64) {
            var carry: UInt64 = 0
            a = Self.step(a, number.a, word, &carry)
            b = Self.step(b, number.b, word, &carry)
            c = Self.step(c, number.c, word, &carry)
            d = Self.step(d, number.d, word, &carry)
            let (top, over) = P256Number.add(e, carry, 0)
            let factor = a
            carry = 0
            _ = Self.step(a, p.a, factor, &carry)
            a = Self.step(b, p.b, factor, &carry)
            b = Self.step(c, p.c, factor, &carry)
            c = Self.step(d, p.d, factor, &carry)
            let (last, more) = P256Number.add(top, carry, 0)
            d = last
            e = over &+ more
        }

        /// sum + left · right + carry, which two words hold.
        private static func step(_ sum: UInt64, _ left: UInt64, _ right: UInt64, _ carry: inout UInt64) -> UInt64 {
            let product = left.multipliedFullWidth(by: right)
            let (low, first) = product.low.addingReportingOverflow(sum)
            let (all, second) = low.addingReportingOverflow(carry)
            carry = product.high &+ (first ? 1 : 0) &+ (second ? 1 : 0)
            return all
        }
    }

    /// A number below 2p, whose fifth word is `carry`, below p.
    private static func reduced(
        _ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64, carry: UInt64
    ) -> (number: P256Number, wasReduced: Bool) {
        let (w, first) = subtract(a, p.a, 0)
        let (x, second) = subtract(b, p.b, first)
        let (y, third) = subtract(c, p.c, second)
        let (z, borrow) = subtract(d, p.d, third)
        guard carry != 0 || borrow == 0 else { return (P256Number(a, b, c, d), false) }
        return (P256Number(w, x, y, z), true)
    }

    private static func add(_ left: UInt64, _ right: UInt64, _ carry: UInt64) -> (sum: UInt64, carry: UInt64) {
        let (part, first) = left.addingReportingOverflow(right)
        let (sum, second) = part.addingReportingOverflow(carry)
        return (sum, (first ? 1 : 0) &+ (second ? 1 : 0))
    }

    private static func subtract(_ left: UInt64, _ right: UInt64, _ borrow: UInt64) -> (difference: UInt64, borrow: UInt64) {
        let (part, first) = left.subtractingReportingOverflow(right)
        let (difference, second) = part.subtractingReportingOverflow(borrow)
        return (difference, (first ? 1 : 0) &+ (second ? 1 : 0))
    }
}
