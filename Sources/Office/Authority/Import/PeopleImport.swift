import Credentials
import Cryptography
import Encoding
import SiteRules

/// Takes a list of people, line by line, and collects what is wrong with it. The caller's transaction decides whether anything
/// of it stays.
final class PeopleImport {
    private let database: AuthorityDatabase
    private let keys: EnrolledRows
    private let memberships: MembershipRows
    private let site: String
    private let now: Int64
    private var header: PeopleHeader?
    private var isHopeless = false
    /// The lines in which keys and cards stand.
    private var seen: [PeopleKey: Int] = [:]
    /// Some of the groups that have anybody, and the last lines that put people into groups when there were more than one may be in.
    private var someGroups: Set<String>
    private var groupLines: [String: CSVPosition] = [:]
    private let groupsOfRules: Set<String>
    private(set) var done = ImportedPeople()
    /// New keys and cards of a list that says nothing of places.
    private var wholeSite = 0
    private(set) var issues: [ImportIssue] = []
    private(set) var issueCount = 0

    init(_ database: AuthorityDatabase, site: String, otherRoles: Set<PublicKey>, now: Int64) throws(AuthorityError) {
        self.database = database
        self.site = site
        self.now = now
        keys = try EnrolledRows(database, otherRoles: otherRoles)
        memberships = try MembershipRows(database)
        groupsOfRules = try database.groupsOfRules()
        someGroups = Set(try database.groups(most: Membership.mostOfOne + 1))
    }

    /// Takes one row of the file.
    func apply(_ row: CSVRow) throws(AuthorityError) {
        switch row {
        case .fault(let fault, let position):
            guard !isHopeless else { return }
            note([ImportIssue(position, code: fault.code, fault.message)])
            // Without the columns nothing can be said of what follows.
            if header == nil { isHopeless = true }
        case .record(let fields):
            guard !isHopeless else { return }
            if let header { try apply(fields, header) } else { read(header: fields) }
        }
    }

    /// The file has ended.
    func finish() throws(AuthorityError) {
        if !groupLines.isEmpty { try refuseTooManyGroups() }
        if header == nil, issueCount == 0 {
            note([ImportIssue(CSVPosition(), code: "csv-header", "The file has no first line that names its columns.")])
        }
        done.unusedGroups.sort()
        if wholeSite > 0 {
            done.warn(ImportIssue(CSVPosition(), code: "whole-site", "\(wholeSite) new keys and cards get the whole site: the list has no column audiences."))
        }
    }

    /// Says of a rehearsal what would be refused.
    func warn(of loss: ListLoss, above percent: Int) {
        let refused = AuthorityError.tooMuchLost(loss)
        if loss.isAbove(percent) { done.warn(ImportIssue(CSVPosition(), code: refused.code, refused.message)) }
    }

    /// A list may put somebody into groups in many of its lines, and rules and lists of before have said something, too.
    private func refuseTooManyGroups() throws(AuthorityError) {
        for subject in try database.subjectsOfTooManyGroups(most: RefusedImport.most) {
            let error = AuthorityError.tooManyGroups(subject)
            if let position = groupLines[subject] { note([ImportIssue(position, code: error.code, error.message)]) }
        }
    }

    private func note(_ found: [ImportIssue]) {
        issueCount += found.count
        issues += found.prefix(RefusedImport.most - issues.count)
    }

    private func read(header fields: [CSVField]) {
        switch PeopleHeader.read(fields) {
        case .success(let read): header = read
        case .failure(let faults):
            note(faults.issues)
            isHopeless = true
        }
    }

    private func apply(_ fields: [CSVField], _ header: PeopleHeader) throws(AuthorityError) {
        done.lines += 1
        guard let cells = header.cells(fields) else {
            return note([ImportIssue(fields[0].position, code: "csv-fields", "The line has \(fields.count) fields, and the first one \(header.count).")])
        }
        var reading = PeopleRowReading(cells, at: fields[0].position)
        let row = reading.read()
        note(reading.issues)
        guard let row else { return }
        try apply(row)
    }

    /// Each part for itself, so that all faults of a line are told.
    private func apply(_ row: PeopleRow) throws(AuthorityError) {
        if let key = row.key { try attempt(.key, of: row) { () throws(AuthorityError) in try apply(key, row) } }
        if let card = row.card { try attempt(.uid, of: row) { () throws(AuthorityError) in try apply(card, row) } }
        for group in row.groups { try attempt(.groups, of: row) { () throws(AuthorityError) in try apply(group, row) } }
        guard row.action == .set, !row.groups.isEmpty else { return }
        someGroups.formUnion(row.groups)
        if someGroups.count > Membership.mostOfOne { groupLines[row.subject] = row.position(of: .groups) }
    }

    /// Faults of the machine end the import; others are faults of the line.
    private func attempt(_ column: PeopleColumn, of row: PeopleRow, _ body: () throws(AuthorityError) -> Void) throws(AuthorityError) {
        do throws(AuthorityError) {
            try body()
        } catch {
            if error.isOfTheMachine { throw error }
            let place = if case .badTimes = error { PeopleColumn.expires } else { column }
            let issue = ImportIssue(row.position(of: place), code: error.code, error.message)
            // It stays revoked, and everybody else's night goes on: who writes the list may learn tomorrow what was lost today.
            if error.isRevocation { done.leaveOut(issue) } else { note([issue]) }
        }
    }

    /// False if another line has it, too: one of them is wrong.
    private func isFirst(_ name: PeopleKey, _ column: PeopleColumn, _ row: PeopleRow) -> Bool {
        if let line = seen.updateValue(row.position.line, forKey: name) {
            note([ImportIssue(row.position(of: column), code: "csv-twice", "Line \(line) has the same one.")])
            return false
        }
        return true
    }

    private func apply(_ key: PhoneKey, _ row: PeopleRow) throws(AuthorityError) {
        guard isFirst(.enrolled(thumbprint: key.key.thumbprint), .key, row) else { return }
        let known = try keys.known(key.key)
        switch row.action {
        case .set:
            let wanted = try row.enrolledKey(key, known: known)
            try keys.refuseOtherRoles(wanted)
            if known != wanted { try keys.ceiling?.refuse(.enrolled(wanted), now: now) }
            try keys.refuseRevoked(wanted)
            if let known, known.use != wanted.use { throw .otherUse }
            // A list that comes every night says nothing new: since when a key is enrolled like this stays what it was.
            if known != wanted { try keys.put(wanted, inPlaceOf: known, now: now) }
            count(was: known != nil, isSame: known == wanted, row)
            warnIfMoved(from: known?.subject, .key, row)
            note(known.map { HeldRights($0) }, HeldRights(wanted), wanted.rights, row)
        case .remove:
            guard let known else { return done.unchanged += 1 }
            guard known.subject.utf8.elementsEqual(row.subject.utf8) else { throw .otherSubject(known.subject) }
            try keys.remove(known)
            done.removed += 1
            note(HeldRights(known), nil)
        }
    }

    private func apply(_ number: UIDOnlyCardNumber, _ row: PeopleRow) throws(AuthorityError) {
        guard isFirst(.card(number), .uid, row) else { return }
        let known = try database.card(number)
        switch row.action {
        case .set:
            let card = try row.uidOnlyCard(number, known: known)
            guard try !database.isTakenBack(.subject(row.subject)) else { throw .subjectRevoked(row.subject) }
            try database.refuse(holder: known?.subject, otherThan: row.subject)
            if known != card {
                try keys.ceiling?.refuse(.uidOnlyCard(card), now: now)
                try database.put(card, inPlaceOf: known, now: now)
            }
            count(was: known != nil, isSame: known == card, row)
            warnIfMoved(from: known?.subject, .uid, row)
            note(known.map { HeldRights($0) }, HeldRights(card), card.rights, row)
        case .remove:
            guard let known else { return done.unchanged += 1 }
            guard known.subject.utf8.elementsEqual(row.subject.utf8) else { throw .otherSubject(known.subject) }
            try database.remove(number)
            done.removed += 1
            note(HeldRights(known), nil)
        }
    }

    private func count(was isThere: Bool, isSame: Bool, _ row: PeopleRow) {
        if !isThere, row.listed.audiences == nil { wholeSite += 1 }
        if !isThere { done.added += 1 } else if isSame { done.unchanged += 1 } else { done.changed += 1 }
    }

    /// A number that is copied from the wrong line takes somebody's card away without a word.
    private func warnIfMoved(from subject: String?, _ column: PeopleColumn, _ row: PeopleRow) {
        guard let warning = RightsWarning(from: subject, to: row.subject) else { return }
        done.warn(ImportIssue(row.position(of: column), code: warning.code, warning.message))
    }

    /// Who gains and who loses what by a key or card.
    private func note(_ known: HeldRights?, _ wanted: HeldRights?) {
        if let gain = wanted?.beyond(known) { done.gains.note(gain) }
        if let loss = known?.beyond(wanted) { done.losses.note(loss) }
    }

    private func note(_ known: HeldRights?, _ wanted: HeldRights, _ rights: Rights, _ row: PeopleRow) {
        note(known, wanted)
        for warning in rights.warnings(site: site, now: now) {
            let column: PeopleColumn = if case .otherSite = warning { .audiences } else { .expires }
            done.warn(ImportIssue(row.position(of: column), code: warning.code, "\(row.subject): \(warning.message)"))
        }
    }

    private func apply(_ group: String, _ row: PeopleRow) throws(AuthorityError) {
        let membership = Membership(group: group, subject: row.subject)
        switch row.action {
        case .set:
            if try memberships.add(membership, by: .command) {
                try keys.ceiling?.refuse(.rule(.membership(membership)), now: now)
                done.joined += 1
                done.gains.note(RightsChange(subject: row.subject, holding: "group \(group)", what: []))
            }
            if !groupsOfRules.contains(group), !done.unusedGroups.contains(group), done.unusedGroups.count < RefusedImport.most {
                done.unusedGroups.append(group)
            }
        case .remove:
            if try memberships.remove(membership, by: .command) {
                done.left += 1
                done.losses.note(RightsChange(subject: row.subject, holding: "group \(group)", what: []))
            } else if try database.isIn([group], row.subject) {
                let message = "'\(row.subject)' stays in the group '\(group)', for the rules say so, too."
                done.warn(ImportIssue(row.position(of: .groups), code: "group-of-rules", message))
            }
        }
    }
}
