import Encoding
import Glibc

/// Taking away what is no longer wanted.
extension RepositoryFolder {
    /// Takes away files that were published once and that no metadata has named for `seconds`: until then somebody may be loading them. What nobody
    /// publishes stays: others have put it there.
    /// - Parameter folder: one of `folders`.
    func remove(_ folder: String, notIn wanted: Set<String>, olderThan seconds: Int64, now: Int64) throws(AuthorityError) {
        guard let open = try self.folder(folder) else { return }
        for name in try names(folder) where !wanted.contains(name) && Self.isPublished(name, in: folder) {
            var facts = stat()
            guard fstatat(open.raw, name, &facts, AT_SYMLINK_NOFOLLOW) == 0, facts.st_mode & S_IFMT == S_IFREG,
                  Int64(facts.st_mtim.tv_sec) + seconds < now else { continue }
            unlinkat(open.raw, name, 0)
        }
    }

    /// Whether a file has a name as they are published in that folder.
    static func isPublished(_ name: String, in folder: String) -> Bool {
        guard let dot = name.firstIndex(of: ".") else { return false }
        let first = name[..<dot], rest = String(name[name.index(after: dot)...])
        switch folder {
        case "metadata":
            return name == timestamp || isNumber(first) && RepositoryRole.allCases.contains { $0 != .timestamp && rest == "\($0.rawValue).json" }
        case "targets/site":
            return isHash(first) && "site/\(rest)" == SignedPart.siteData
        case "targets/people":
            let path = "people/\(rest)"
            return isHash(first) && (path == SignedPart.peopleFull || path.hasPrefix(SignedPart.peopleSince) && isNumber(path.dropFirst(SignedPart.peopleSince.count)))
        default:
            return false
        }
    }

    /// As they are written, and no other way.
    private static func isNumber(_ text: Substring) -> Bool { Int64(text).map { $0 > 0 && String($0) == text } ?? false }

    private static func isHash(_ text: Substring) -> Bool { text.utf8.count == 64 && (try? Hex.decode(String(text))).map { Hex.encode($0) == text } ?? false }
}
