import Configuration
import Encoding
import SiteRules

/// A file with one subject a line. Empty lines and those that begin with `#` say nothing.
enum MembersFile {
    /// A million subjects of 32 bytes.
    private static let maximumBytes = 32 << 20
    /// A file that is something else has a mistake in every line: so many are told.
    private static let mostComplaints = 1000

    /// The subjects, and what is wrong with lines.
    static func read(_ path: String) throws(FileReadError) -> (members: [String], complaints: [ConfigurationIssue]) {
        let bytes = try FileText.read(path, limit: maximumBytes)
        var issues = IssueList(file: path)
        var members: [String] = []
        var wrong = 0
        for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let content = trimmed(line)
            guard !content.isEmpty, content.first != UInt8(ascii: "#") else { continue }
            switch subject(content) {
            case .success(let subject):
                members.append(subject)
            case .failure(let complaint):
                wrong += 1
                let column = content.startIndex - line.startIndex + complaint.place
                if wrong <= mostComplaints { issues.error(complaint.code, at: TextPosition(line: number + 1, column: column), complaint.message) }
            }
        }
        if wrong > mostComplaints {
            issues.error("bad-text", at: nil, "\(wrong - mostComplaints) more lines are no subjects.")
        }
        return (members, issues.sorted)
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        let ahead = line.drop(while: isBlank)
        return ahead.prefix(upTo: ahead.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? ahead.startIndex)
    }

    private static func subject(_ line: ArraySlice<UInt8>) -> Result<String, Complaint> {
        guard let text = String(validating: Array(line), as: UTF8.self)?.composed else { return .failure(Complaint(message: "The line is no text in UTF-8.")) }
        guard text.utf8.count <= SiteRecord.longestText else {
            return .failure(Complaint(message: "The subject is longer than \(SiteRecord.longestText) bytes."))
        }
        let complaint = NameRule.flaw(in: text).map { Complaint(code: NameFlaw.code, message: "The subject \($0.complaint).", place: $0.place) }
        return complaint.map(Result.failure) ?? .success(text)
    }

    private struct Complaint: Error {
        var code = "bad-text"
        let message: String
        /// The character of the content that is meant, from 1.
        var place = 1
    }
}
