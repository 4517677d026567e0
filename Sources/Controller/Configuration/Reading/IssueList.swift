/// Collects what is wrong with one file.
package struct IssueList: Sendable {
    package let file: String
    package private(set) var issues: [ConfigurationIssue] = []

    package init(file: String) { self.file = file }

    package mutating func error(_ code: String, at position: TextPosition?, _ message: String, suggestion: String? = nil) {
        issues.append(ConfigurationIssue(severity: .error, file: file, position: position, code: code, message: message,
                                         suggestion: suggestion))
    }

    package mutating func warning(_ code: String, at position: TextPosition?, _ message: String) {
        issues.append(ConfigurationIssue(severity: .warning, file: file, position: position, code: code, message: message))
    }

    package var hasErrors: Bool { issues.contains { $0.severity == .error } }

    /// In the order of the text; of issues at one place, in the order they were found.
    package var sorted: [ConfigurationIssue] {
        let start = TextPosition(line: 0, column: 0)
        return issues.enumerated().sorted { a, b in
            let (first, second) = (a.element.position ?? start, b.element.position ?? start)
            return first == second ? a.offset < b.offset : first < second
        }.map(\.element)
    }
}
