/// Text from outside in a line for people: in quotation marks, on one line, in one direction. Whoever made the file
/// can write into it what looks like a line of ours.
public enum Quotation {
    /// The text in quotation marks; control characters, line ends and marks of direction are shown by number.
    public static func of(_ text: String?) -> String {
        guard let text else { return "nobody named" }
        var shown = "'"
        for scalar in text.unicodeScalars {
            if isHarmless(scalar) {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return shown + "'"
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // C0, quotation mark, backslash, DEL and C1; Arabic letter mark; zero widths and marks of direction; line and
        // paragraph separators, embeddings and isolates; byte order mark.
        case 0..<0x20, 0x27, 0x5C, 0x7F..<0xA0, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: false
        default: true
        }
    }
}
