/// What a name may be made of, so that whoever reads it sees all of it and nothing else: names of people, issuers, groups, lanes, places, commands,
/// whatever is signed, enrolled or configured. Which of the characters that are left look alike is not judged here.
public enum NameRule {
    /// The most accents upon one another (UTS #39, 5.4).
    static let mostMarks = 4

    /// The first character that may not stand in a name; nil for a name. How long it may be is another question, and an empty one has none.
    public static func flaw(in name: String) -> NameFlaw? {
        if isPlain(name) { return nil }
        let scalars = Array(name.unicodeScalars)
        for place in scalars.indices {
            if let kind = unseen(at: place, of: scalars) ?? blank(at: place, of: scalars) ?? mark(at: place, of: scalars) {
                return NameFlaw(kind: kind, scalar: scalars[place], place: place + 1)
            }
        }
        return nil
    }

    /// Whether there is no such character.
    public static func allows(_ name: String) -> Bool { flaw(in: name) == nil }

    /// The first character of a line that would not be seen, for lines that are no names, such as what people are shown: blanks are as they like.
    public static func unseen(in line: String) -> NameFlaw? {
        if isPlain(line) { return nil }
        let scalars = Array(line.unicodeScalars)
        for place in scalars.indices {
            if let kind = unseen(at: place, of: scalars) { return NameFlaw(kind: kind, scalar: scalars[place], place: place + 1) }
        }
        return nil
    }

    /// Most names are: printable ASCII, each blank between two others. There may be a million of them.
    private static func isPlain(_ name: String) -> Bool {
        name.utf8.withContiguousStorageIfAvailable { bytes in
            var before: UInt8 = 0x20
            for byte in bytes {
                guard byte >= 0x20, byte < 0x7F, byte != 0x20 || before != 0x20 else { return false }
                before = byte
            }
            return before != 0x20
        } ?? false
    }

    static func unseen(at place: Int, of scalars: [Unicode.Scalar]) -> NameFlaw.Kind? {
        let scalar = scalars[place]
        let isUnseen = UnseenCharacters.contains(scalar) && !Joiners.areSeen(at: place, of: scalars)
        return isUnseen ? UnseenCharacters.flaw(of: scalar) : nil
    }

    private static func blank(at place: Int, of scalars: [Unicode.Scalar]) -> NameFlaw.Kind? {
        guard scalars[place].properties.isWhitespace else { return scalars[place] == "\u{FFFD}" ? .unreadable : nil }
        guard scalars[place] == " " else { return .otherBlank }
        return place == 0 || place == scalars.count - 1 || scalars[place - 1] == " " ? .looseBlank : nil
    }

    private static func mark(at place: Int, of scalars: [Unicode.Scalar]) -> NameFlaw.Kind? {
        guard UnseenCharacters.isMark(scalars[place]) else { return nil }
        guard place > 0, scalars[place - 1] != " " else { return .looseMark }
        return isMarkTooMany(at: place, of: scalars) ? .oneMarkTooMany : nil
    }

    static func isMarkTooMany(at place: Int, of scalars: [Unicode.Scalar]) -> Bool {
        place >= mostMarks && scalars[(place - mostMarks)...place].allSatisfy(UnseenCharacters.isMark)
    }
}

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

/// Why a text is no name, and where.
public struct NameFlaw: Error, Hashable, Sendable {
    /// What is wrong with a character.
    public enum Kind: Hashable, Sendable {
        /// It ends a line, moves the cursor or does something else to a terminal.
        case control
        /// It turns the direction in which others are read.
        case direction
        /// It is not seen.
        case invisible
        /// No character stands there: it is for private use, a noncharacter or a placeholder.
        case noCharacter
        /// It stands where a text could not be read.
        case unreadable
        /// A blank at the beginning or at the end, or after another one.
        case looseBlank
        /// A blank that is not the plain space, and looks like one or like nothing.
        case otherBlank
        /// An accent with nothing to stand upon.
        case looseMark
        /// An accent upon so many others that it covers the lines above.
        case oneMarkTooMany
    }

    /// What is wrong.
    public let kind: Kind
    /// The character.
    public let scalar: Unicode.Scalar
    /// Which one of the text it is, in Unicode scalars, from 1.
    public let place: Int

    /// The stable code where a name is refused that somebody has written; refused files and tokens have codes that end like it.
    public static let code = "name-forbidden"

    /// What is wrong, as the end of a sentence about the text.
    public var complaint: String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "has U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits) as character \(place): \(kind.words)"
    }
}

extension NameFlaw.Kind {
    var words: String {
        switch self {
        case .control: "a control character"
        case .direction: "it turns the direction of what is read"
        case .invisible: "nobody sees it"
        case .noCharacter: "it is no character that can be read"
        case .unreadable: "it stands for what could not be read, so that the text is damaged"
        case .looseBlank: "a blank at the beginning, at the end or after a blank"
        case .otherBlank: "another blank than the plain space"
        case .looseMark: "an accent with nothing below it"
        case .oneMarkTooMany: "an accent upon \(NameRule.mostMarks) others"
        }
    }
}
