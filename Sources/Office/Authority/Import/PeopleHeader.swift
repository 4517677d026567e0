import Encoding

/// Which column stands where.
struct PeopleHeader {
    private let columns: [PeopleColumn]

    /// Reads the first line; what is wrong with it is one error each.
    static func read(_ fields: [CSVField]) -> Result<PeopleHeader, PeopleHeaderFaults> {
        var columns: [PeopleColumn] = []
        var issues: [ImportIssue] = []
        for field in fields {
            guard let column = PeopleColumn(rawValue: field.text.trimmed.lowercased()) else {
                issues.append(ImportIssue(field.position, code: "csv-header", unknown(field, of: fields.count)))
                continue
            }
            if columns.contains(column) {
                issues.append(ImportIssue(field.position, code: "csv-header", "The column '\(column.rawValue)' is there twice."))
            }
            columns.append(column)
        }
        if issues.isEmpty, !columns.contains(.subject) {
            issues.append(ImportIssue(CSVPosition(), code: "csv-header", "The column 'subject' is missing."))
        }
        return issues.isEmpty ? .success(PeopleHeader(columns: columns)) : .failure(PeopleHeaderFaults(issues: issues))
    }

    private static func unknown(_ field: CSVField, of count: Int) -> String {
        if count == 1, field.text.contains(";") { return "The columns are separated by semicolons; commas are needed." }
        let known = PeopleColumn.allCases.map(\.rawValue).joined(separator: ", ")
        return "The column '\(field.text)' is not known; there are \(known)."
    }

    /// The cells of a line by their columns; nil if there are more or fewer than columns.
    func cells(_ fields: [CSVField]) -> [PeopleColumn: CSVField]? {
        guard fields.count == columns.count else { return nil }
        return Dictionary(zip(columns, fields)) { first, _ in first }
    }

    /// How many columns there are.
    var count: Int { columns.count }
}

/// What is wrong with the first line.
struct PeopleHeaderFaults: Error {
    let issues: [ImportIssue]
}

extension String {
    /// Without the spaces around it, which a spreadsheet does not show.
    var trimmed: String {
        var rest = Substring(self)
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
