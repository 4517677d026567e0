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
