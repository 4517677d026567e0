/// What is wrong with a small text of a site's file.
struct WordFault: Error, Hashable {
    /// Stable code.
    let code: String
    /// A sentence for people.
    let message: String
    /// What the writer probably meant.
    var suggestion: String?

    static func time(_ text: some StringProtocol) -> WordFault {
        WordFault(code: "bad-window", message: "\"\(text)\" is no stretch of time: write 07:00-19:00, 22:00-06:00 (ends on the next day) or 00:00-24:00.")
    }

    static func date(_ text: some StringProtocol) -> WordFault {
        WordFault(code: "bad-date", message: "\"\(text)\" is no date: write 2026-12-24.")
    }
}
