import Encoding

/// Text from outside in a line for people: in quotation marks, on one line, in one direction. Whoever made the file
/// can write into it what looks like a line of ours.
public enum Quotation {
    /// The text in quotation marks; those in it and backslashes are shown by number, as everything that nobody would see.
    public static func of(_ text: String?) -> String {
        guard let text else { return "nobody named" }
        var shown = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" || scalar == "\\" {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return PrintedText.line(shown + "'")
    }
}
