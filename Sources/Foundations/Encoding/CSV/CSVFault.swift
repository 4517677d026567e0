/// Why a line of comma-separated values cannot be read.
public enum CSVFault: Hashable, Sendable {
    /// A quotation mark in a field that does not begin with one (RFC 4180, 2.5).
    case strayQuote
    /// Something between a closing quotation mark and the next comma.
    case textAfterQuote
    /// A field in quotation marks does not end.
    case unclosedQuote
    /// A carriage return without a line feed after it, outside of quotation marks.
    case strayCarriageReturn
    /// A field is longer than `CSVReader.longestField`.
    case fieldTooLong
    /// A line has more fields than `CSVReader.mostFields`.
    case tooManyFields
    /// A field is no UTF-8.
    case notUTF8

    /// Stable code.
    public var code: String {
        switch self {
        case .strayQuote, .textAfterQuote, .unclosedQuote: "csv-quotes"
        case .strayCarriageReturn: "csv-line-end"
        case .fieldTooLong, .tooManyFields: "csv-too-long"
        case .notUTF8: "csv-not-utf-8"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .strayQuote: "A quotation mark stands in a field that does not begin with one; such a field is put in quotation marks, and those in it are doubled."
        case .textAfterQuote: "Something stands between the quotation mark that ends a field and the next comma."
        case .unclosedQuote: "The quotation mark that begins this field is never closed."
        case .strayCarriageReturn: "A carriage return stands alone; lines end with a line feed, or with both."
        case .fieldTooLong: "The field has more than \(CSVReader.longestField) bytes."
        case .tooManyFields: "The line has more than \(CSVReader.mostFields) fields."
        case .notUTF8: "The field is not UTF-8; save the file with that encoding."
        }
    }
}
