import Configuration
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
