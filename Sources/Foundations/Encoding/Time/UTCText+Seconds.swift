extension UTCText {
    private static let secondsForm = Array("0000-00-00T00:00:00Z".utf8)

    /// Reads `2025-01-31T08:30:00Z` in exactly this form: no fraction, nothing left out.
    /// - Returns: seconds since 1970; nil for anything else, also for days and times that do not exist.
    public static func readSeconds(_ text: String) -> Int64? {
        guard text.utf8.count == secondsForm.count, zip(text.utf8, secondsForm).allSatisfy({ fits($0, $1) }) else { return nil }
        return read(text).map { $0.quotientFloor(1000) }
    }

    /// Whether a character may stand where the form has this one: a digit for a digit.
    private static func fits(_ character: UInt8, _ form: UInt8) -> Bool {
        form == UInt8(ascii: "0") ? (0x30...0x39).contains(character) : character == form
    }
}
