/// Where U+200C (zero width non-joiner) and U+200D (zero width joiner) are seen: Persian and Urdu names need the one, names in Indic scripts both.
/// The rules are those of RFC 5892, A.1 and A.2, as RFC 8264 (5.5, ContextJ) has them for identifiers; of the joining types
/// (ArabicShaping.txt, Unicode 16) those of the Arabic script are known here.
enum Joiners {
    private static let nonJoiner: Unicode.Scalar = "\u{200C}", joiner: Unicode.Scalar = "\u{200D}"

    /// Whether the character at this place is one of the two, and changes what is seen.
    static func areSeen(at place: Int, of scalars: [Unicode.Scalar]) -> Bool {
        guard scalars[place] == nonJoiner || scalars[place] == joiner, place > 0 else { return false }
        if scalars[place - 1].properties.canonicalCombiningClass == .virama { return true }
        guard scalars[place] == nonJoiner,
              let before = scalars[..<place].last(where: { !UnseenCharacters.isMark($0) }),
              let after = scalars[(place + 1)...].first(where: { !UnseenCharacters.isMark($0) }) else { return false }
        return joinsBothSides(before) && (joinsBothSides(after) || joinsBefore(after))
    }

    /// Dual_Joining.
    private static func joinsBothSides(_ scalar: Unicode.Scalar) -> Bool { contains(scalar, bothSides) }

    /// Right_Joining: with what stands before it.
    private static func joinsBefore(_ scalar: Unicode.Scalar) -> Bool { contains(scalar, before) }

    private static func contains(_ scalar: Unicode.Scalar, _ ranges: [ClosedRange<UInt32>]) -> Bool {
        (0x620...0x8C8).contains(scalar.value) && ranges.contains { $0.contains(scalar.value) }
    }

    private static let bothSides: [ClosedRange<UInt32>] = [
        0x620...0x620, 0x626...0x626, 0x628...0x628, 0x62A...0x62E, 0x633...0x63F, 0x641...0x647, 0x649...0x64A, 0x66E...0x66F, 0x678...0x687,
        0x69A...0x6BF, 0x6C1...0x6C2, 0x6CC...0x6CC, 0x6CE...0x6CE, 0x6D0...0x6D1, 0x6FA...0x6FC, 0x6FF...0x6FF, 0x750...0x758, 0x75C...0x76A,
        0x76D...0x770, 0x772...0x772, 0x775...0x777, 0x77A...0x77F, 0x886...0x886, 0x889...0x88D, 0x8A0...0x8A9, 0x8AF...0x8B0, 0x8B3...0x8B8,
        0x8BA...0x8C8
    ]

    private static let before: [ClosedRange<UInt32>] = [
        0x622...0x625, 0x627...0x627, 0x629...0x629, 0x62F...0x632, 0x648...0x648, 0x671...0x673, 0x675...0x677, 0x688...0x699, 0x6C0...0x6C0,
        0x6C3...0x6CB, 0x6CD...0x6CD, 0x6CF...0x6CF, 0x6D2...0x6D3, 0x6D5...0x6D5, 0x6EE...0x6EF, 0x759...0x75B, 0x76B...0x76C, 0x771...0x771,
        0x773...0x774, 0x778...0x779, 0x870...0x882, 0x88E...0x88E, 0x8AA...0x8AC, 0x8AE...0x8AE, 0x8B1...0x8B2, 0x8B9...0x8B9
    ]
}
