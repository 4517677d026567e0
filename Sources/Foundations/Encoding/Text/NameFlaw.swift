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
