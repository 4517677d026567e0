import Configuration
import Encoding
import SiteRules

/// Who belongs to which group: from the group, from its file, from the person.
extension SiteReading {
    mutating func memberships() -> [Membership] {
        var groups: [String: Set<String>] = [:]
        for table in tables("group") {
            let listed = distinct("members", in: table)
            for (subject, position) in listed { checkSubject(subject, at: position) }
            let members = listed.map(\.text) + members(inFileOf: table)
            if let name = table.text("name") { groups[name, default: []].formUnion(members) }
        }
        for table in tables("person") + tables("uid-only-card") {
            let named = references("groups", in: table, to: "group")
            guard let subject = table.text("subject") else { continue }
            for group in named { groups[group, default: []].insert(subject) }
        }
        warnOfEmptyGroups(groups)
        checkGroupsOfEach(groups)
        return groups.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.flatMap { group, members in
            members.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { Membership(group: group, subject: $0) }
        }
    }

    mutating func checkSubject(_ subject: String, at position: TextPosition) {
        guard subject.utf8.count > SiteRecord.longestText else { return }
        issues.error("bad-text", at: position, "A subject is longer than \(SiteRecord.longestText) bytes.")
    }

    private mutating func members(inFileOf table: TableReading) -> [String] {
        guard let path = file(named: "members-file", of: table) else { return [] }
        do throws(FileReadError) {
            let (members, complaints) = try MembersFile.read(path)
            elsewhere += complaints
            return members
        } catch {
            issues.error(error.code, at: table.position(of: "members-file"), "\(path): \(error.message)")
            return []
        }
    }

    /// The file that a setting names; a path that does not begin at the root begins at the folder of the site's file. On a gate it is as good as
    /// that file itself: whoever may change it lets people in.
    mutating func file(named setting: String, of table: TableReading) -> String? {
        guard let given = table.text(setting) else { return nil }
        let path = given.hasPrefix("/") ? given : "\(folder)/\(given)"
        if context.gate != nil, let finding = ConfigurationFile.whoElseMayChange(path: path) {
            issues.error("site-file-exposed", at: table.position(of: setting), "Others than root may let anybody in: \(finding).")
        }
        return path
    }

    private mutating func warnOfEmptyGroups(_ groups: [String: Set<String>]) {
        for table in tables("group") {
            guard let name = table.text("name"), groups[name]?.isEmpty ?? true else { continue }
            issues.warning("group-empty", at: table.position(of: "name"), "Nobody belongs to the group \"\(name)\".")
        }
    }

    private mutating func checkGroupsOfEach(_ groups: [String: Set<String>]) {
        let most = Membership.mostOfOne
        guard groups.count > most else { return }
        var counts: [String: Int] = [:]
        for members in groups.values { for subject in members { counts[subject, default: 0] += 1 } }
        for subject in counts.filter({ $0.value > most }).keys.sorted() {
            issues.error("too-many-groups", at: nil, "\"\(subject)\" belongs to more than \(most) groups; a gate looks at so many.")
        }
    }
}

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
