import Encoding
import SiteData

/// What was published is looked at as gates do, so that no timer is content with what nobody takes.
extension Authority {
    /// - Parameter isFull: the file with everybody is new, and is read as gates read it.
    /// - Throws: what gates would say; `published` all the same.
    func checkAsGates(_ path: String, isFull: Bool, now: Int64) throws(AuthorityError) {
        do throws(AuthorityError) {
            _ = try RepositoryCheck.run(path, readsEverybody: isFull, at: now)
        } catch {
            guard case .repository(let refused) = error else { throw error }
            throw .repository(.publishedInVain(refused))
        }
    }

    /// The roles whose file is soon over and that only others can sign anew; UNIX seconds.
    /// - Parameter seconds: what is soon; nil: a month, or a third of the role's time if that is less.
    func soonOver(_ seconds: Int64?, now: Int64) throws(AuthorityError) -> [(role: RepositoryRole, at: Int64)] {
        var roles: [(role: RepositoryRole, at: Int64)] = []
        for role in RepositoryRole.allCases where role.isOffline {
            guard let file = try signed(role), let root = try signed(.root), try !hasKeys(of: role, root) else { continue }
            let usual = min(Self.usualWarning, try database.role(role).validSeconds / 3)
            if file.expires - now < seconds ?? usual { roles.append((role, file.expires)) }
        }
        return roles
    }

    private func hasKeys(of role: RepositoryRole, _ root: JSONObject) throws(AuthorityError) -> Bool {
        let wanted = root.keys(of: role)
        return try signingKeys(role, among: Set(wanted.identifiers)).count >= wanted.threshold
    }

    private static let usualWarning: Int64 = 30 * 86_400
}
