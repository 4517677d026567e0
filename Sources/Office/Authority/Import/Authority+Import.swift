import Encoding
import Files
import Glibc
import SiteRules
import Threads

extension Authority {
    /// Takes a list of people and what they hold (RFC 4180, UTF-8; the first line names the columns of `PeopleColumn`): all of
    /// it or, if anything is wrong with it, nothing.
    /// - Parameters:
    ///   - isRehearsal: nothing is kept, whatever the outcome.
    ///   - mostLost: so many percent of keys, cards and memberships may go or give less; nil: any number. A rehearsal warns of more.
    public func importPeople(at path: String, isRehearsal: Bool = false, mostLost: Int? = nil, now: Int64) throws(AuthorityError) -> ImportedPeople {
        let people = try PeopleImport(database, site: site, otherRoles: keysOfOtherRoles(), now: now)
        let total = try database.countHoldings()
        if isRehearsal {
            try database.rehearsal { () throws(AuthorityError) in try Self.read(path, into: people) }
            if let mostLost { people.warn(of: ListLoss(count: people.done.losses.count, total: total), above: mostLost) }
        } else {
            try database.transaction { () throws(AuthorityError) in
                try Self.read(path, into: people)
                try ListLoss(count: people.done.losses.count, total: total).refuse(above: mostLost)
            }
        }
        return people.done
    }

    /// The bytes of a file that are read at once.
    private static let pieceLength = 65_536

    private static func read(_ path: String, into people: PeopleImport) throws(AuthorityError) {
        var reader = CSVReader()
        let file = try open(path)
        while true {
            let piece: [UInt8]
            do throws(SystemError) { piece = try file.read(upTo: pieceLength) } catch { throw .system(error) }
            if piece.isEmpty { break }
            for row in reader.feed(piece) { try people.apply(row) }
        }
        for row in reader.finish() { try people.apply(row) }
        try people.finish()
        guard people.issueCount == 0 else {
            throw .importRefused(RefusedImport(path: path, issues: people.issues, count: people.issueCount))
        }
    }

    private static func open(_ path: String) throws(AuthorityError) -> FileDescriptor {
        do throws(SystemError) { return try FileDescriptor.reading(path) } catch { throw .system(error) }
    }
}

extension AuthorityError {
    /// Whether it says nothing of what was asked for.
    var isOfTheMachine: Bool {
        if case .system = self { return true }
        if case .storage = self { return true }
        return false
    }

    /// Whether what was asked for would open nothing, for it is revoked.
    var isRevocation: Bool {
        if case .keyRevoked = self { return true }
        if case .subjectRevoked = self { return true }
        if case .holderTakenBack = self { return true }
        return false
    }
}

extension AuthorityDatabase {
    /// Every group of which a rule or a zone speaks.
    func groupsOfRules() throws(AuthorityError) -> Set<String> {
        var groups: Set<String> = []
        try forEachRule { record in
            switch record {
            case .access(let rule): groups.insert(rule.group)
            case .zone(let zone): groups.formUnion(zone.exemptGroups)
            case .timeZone, .holidays, .schedule, .lanePlan, .membership: break
            }
        }
        return groups
    }
}
