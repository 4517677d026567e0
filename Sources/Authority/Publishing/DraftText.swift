import Credentials
import Encoding
import SiteRules
import TrustSync

extension Draft {
    /// What a person signs, in words: worked out from what is signed, not from what somebody says of it.
    public var lines: [String] {
        var lines = [
            "\(role.rawValue) version \(version) of the site '\(site)'", "counts until \(UTCText.make(seconds: expires))"
        ]
        if before == nil { lines.append("the first one") }
        for delegated in RepositoryRole.allCases where delegated.delegator == role { lines += keyLines(delegated) }
        if role == .targets { lines += siteLines }
        return lines
    }

    private func keyLines(_ role: RepositoryRole) -> [String] {
        let new = signed.keys(of: role), old = before?.keys(of: role) ?? (identifiers: [], threshold: 0)
        var lines = new.identifiers.filter { !old.identifiers.contains($0) }.map { "+ key of \(role.rawValue): \($0)" }
        lines += old.identifiers.filter { !new.identifiers.contains($0) }.map { "- key of \(role.rawValue): \($0)" }
        if new.threshold != old.threshold { lines.append("  \(role.rawValue) needs \(new.threshold) of \(new.identifiers.count) keys") }
        return lines
    }

    private var siteLines: [String] {
        guard let new = siteData.flatMap({ SiteContents(parsing: $0, site: site) }) else { return ["! what it says of the site cannot be read"] }
        let old = siteDataBefore.flatMap { SiteContents(parsing: $0, site: site) }
        var lines: [String] = []
        if new.epoch != old?.epoch { lines.append("  people are counted in epoch \(new.epoch)") }
        lines += Self.difference(new.lines, old?.lines ?? [])
        return lines
    }

    private static func difference(_ new: [String], _ old: [String]) -> [String] {
        let before = Set(old), after = Set(new)
        return new.filter { !before.contains($0) }.map { "+ \($0)" } + old.filter { !after.contains($0) }.map { "- \($0)" }
    }
}
