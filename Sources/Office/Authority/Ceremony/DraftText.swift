import Encoding
import SiteData

extension JudgedDraft {
    /// What a person signs, in words: worked out from what is signed and from what is known of what is in force, not from what somebody says of it.
    /// A root is shown whole; of targets the difference, where there is something to compare with.
    public var lines: [String] {
        var lines = [
            "\(draft.role.rawValue) version \(draft.version) of the site \(ShownText.name(draft.site))", "dated \(UTCText.make(seconds: draft.signed.issued))",
            "counts until \(UTCText.make(seconds: draft.expires))", past.line(before: draft.before?.version ?? 0)
        ]
        if isSecondOfItsVersion { lines.append("! this key has signed another version \(draft.version): only one of them can be in force") }
        for delegated in RepositoryRole.allCases where delegated.delegator == draft.role { lines += keyLines(delegated) }
        if draft.role == .targets { lines += siteLines }
        return lines
    }

    private func keyLines(_ role: RepositoryRole) -> [String] {
        let new = draft.signed.keys(of: role), old = past.isKnown ? draft.before?.keys(of: role) : nil
        let count = "  \(role.rawValue) needs \(new.threshold) of \(new.identifiers.count) keys"
        var lines = [old.map { old in old.threshold == new.threshold && old.identifiers.count == new.identifiers.count ? count
            : "\(count); before, \(old.threshold) of \(old.identifiers.count)" } ?? count]
        lines += new.identifiers.map { "\(mark(isNew: old?.identifiers.contains($0) == false)) key of \(role.rawValue): \(named($0))" }
        lines += (old?.identifiers ?? []).filter { !new.identifiers.contains($0) }.map { "- key of \(role.rawValue): \(named($0))" }
        return lines
    }

    private var siteLines: [String] {
        guard let new = draft.contents else { return ["! what it says of the site cannot be read"] }
        guard past.isKnown, let old = draft.contentsBefore else { return new.lines.map { "\(mark(isNew: false)) \($0)" } + new.warnings(since: nil) }
        return new.difference(from: old) + new.warnings(since: old)
    }

    /// What comes is marked, where that is known. Of a first version everything does.
    private func mark(isNew: Bool) -> String {
        switch past {
        case .nothing: "+"
        case .known: isNew ? "+" : " "
        case .unknown: " "
        }
    }

    private func named(_ identifier: String) -> String {
        if let name = names[identifier] { return "\(identifier) (\(name))" }
        return carriedNames[identifier].map { "\(identifier) (called \($0) by the medium)" } ?? identifier
    }
}
