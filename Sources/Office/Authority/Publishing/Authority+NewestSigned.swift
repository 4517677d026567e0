import Encoding
import SiteData

/// What counts of a repository into which others may have put something: what keys have signed.
extension Authority {
    /// The next version of a role: also above what is in the repository, and what was published once, so that an authority that was restored from an old
    /// backup is not refused by gates.
    func nextVersion(_ role: RepositoryRole, _ place: RepositoryFolder) throws(AuthorityError) -> Int64 {
        let here = try signed(role)?.version ?? 0, there = try newestSigned(role, in: place)?.version ?? 0
        return max(here, there, try publishedNote()?.versions[role] ?? 0) + 1
    }

    /// The newest file of a role that its keys have signed; nil if there is none. Whoever else may write there could count to the end of all numbers, and
    /// nothing could be published after that.
    func newestSigned(_ role: RepositoryRole, in place: RepositoryFolder) throws(AuthorityError) -> (version: Int64, bytes: [UInt8])? {
        guard let delegator = try database.metadata(role.delegator) else { return nil }
        for name in try place.metadataNames(of: role) {
            guard let bytes = try place.metadata(name), Self.isSigned(bytes, role, by: delegator), let version = MetadataFile.signed(in: bytes)?.version else { continue }
            return (version, bytes)
        }
        return nil
    }

    /// Whether a file of the repository has to be written: it is not there, or others have spoilt it. That of a second office stays until ours has come.
    func lacks(_ name: String, _ bytes: [UInt8], _ place: RepositoryFolder) throws(AuthorityError) -> Bool {
        guard let length = try place.length(name) else { return true }
        if isForked { return false }
        guard length == bytes.count else { return true }
        return try place.read(name, limit: length) != bytes
    }

    /// Whether the files are there of which people's metadata speaks, with the lengths that it gives.
    func hasAllFiles(_ people: JSONObject?, in place: RepositoryFolder) throws(AuthorityError) -> Bool {
        for member in people?["targets"]?.object ?? JSONObject() {
            guard let file = SignedPart.File(member.key, member.value), try place.length("targets/\(file.fileName)") == file.length else { return false }
        }
        return people != nil
    }
}
