/// The one form in which programs write text for people: on standard output and standard error, in the log, to systemd. What nobody would see, or
/// would see as something else, is spelled out as `\u{1b}`: no text of a stranger hides a line, forges one or moves a cursor.
public enum PrintedText {
    /// One line. Ends of lines are spelled out, too.
    public static func line(_ text: String) -> String { spelledOut(text, keepsLineEnds: false) }

    /// Lines of our own, or a file that is shown whole: ends of lines stay, and tabs.
    public static func lines(_ text: String) -> String { spelledOut(text, keepsLineEnds: true) }

    /// A value as one line of JSON: the same value, with escapes where the canonical form has none.
    public static func json(_ json: JSON) -> String {
        let text = json.text
        if isPlain(text) { return text }
        let scalars = Array(text.unicodeScalars)
        var line = ""
        for place in scalars.indices {
            // Outside of strings there is nothing to escape.
            if isHidden(at: place, of: scalars) {
                for unit in String(scalars[place]).utf16 { line += "\\u" + fourDigits(unit) }
            } else {
                line.unicodeScalars.append(scalars[place])
            }
        }
        return line
    }

    /// A text as one of several in a line, such as the value in `subject=ada`: in quotation marks where it would not be told from what follows.
    public static func word(_ text: String) -> String {
        guard text.isEmpty || text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0 == "\"" || $0 == "=" }) else { return text }
        var word = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { word += "\\" }
            word.unicodeScalars.append(scalar)
        }
        return word + "\""
    }

    private static func spelledOut(_ text: String, keepsLineEnds: Bool) -> String {
        if isPlain(text) { return text }
        let scalars = Array(text.unicodeScalars)
        var printed = ""
        for place in scalars.indices {
            if isHidden(at: place, of: scalars) && (!keepsLineEnds || (scalars[place] != "\n" && scalars[place] != "\t")) {
                printed += "\\u{\(String(scalars[place].value, radix: 16))}"
            } else {
                printed.unicodeScalars.append(scalars[place])
            }
        }
        return printed
    }

    private static func isHidden(at place: Int, of scalars: [Unicode.Scalar]) -> Bool {
        NameRule.unseen(at: place, of: scalars) != nil || (UnseenCharacters.isMark(scalars[place]) && NameRule.isMarkTooMany(at: place, of: scalars))
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F } } ?? false
    }

    private static func fourDigits(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
