import Credentials
import Cryptography

extension Authority {
    /// Enrols a key, or replaces what was known of it, but for what the request leaves unsaid.
    public func enrol(_ request: EnrolmentRequest, now: Int64) throws(AuthorityError) -> Enrolment {
        let rows = try EnrolledRows(database, otherRoles: keysOfOtherRoles())
        return try database.transaction { () throws(AuthorityError) in
            let known = try rows.known(request.key)
            return try enrol(request.leavingUnsaid(of: known), knowing: known, rows, now: now)
        }
    }

    /// Enrols the keys of a file, one JSON object a line (see `EnrolmentLine`): all of them or, if one
    /// cannot be taken, none. The file is read piece by piece; "-" is standard input.
    /// - Parameters:
    ///   - mostLost: so many percent of keys, cards and memberships may give less by it; nil: any number.
    ///   - warn: hears of what was taken and is hardly meant, with the number of its line.
    /// - Returns: how many keys are new, and how many were replaced.
    public func enrol(listAt path: String, mostLost: Int? = nil, now: Int64, warn: (Int, RightsWarning) -> Void = { _, _ in }) throws(AuthorityError)
        -> (added: Int, replaced: Int) {
        let rows = try EnrolledRows(database, otherRoles: keysOfOtherRoles())
        let lines = try LineReader(path: path)
        var seen: [UInt64: UInt32] = [:]
        var added = 0
        var replaced = 0
        var lost = 0
        let total = try database.countHoldings()
        try database.transaction { () throws(AuthorityError) in
            while let line = try lines.next() {
                do throws(AuthorityError) {
                    let (request, listed) = try EnrolmentLine.read(line)
                    // A million of them are few bytes each. What two lines say of one key cannot both be meant.
                    let mark = request.key.thumbprint.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    if let earlier = seen.updateValue(UInt32(clamping: lines.number), forKey: mark) { throw .listedTwice(line: Int(earlier)) }
                    let known = try rows.known(request.key)
                    let enrolment = try enrol(request.leaving(known, where: listed), knowing: known, rows, now: now, isListed: true)
                    if enrolment.losses != nil { lost += 1 }
                    if enrolment.isReplacement { replaced += 1 } else { added += 1 }
                    if let moved = RightsWarning(from: known?.subject, to: enrolment.key.subject) { warn(lines.number, moved) }
                    for warning in enrolment.key.rights.warnings(site: site, now: now) { warn(lines.number, warning) }
                } catch {
                    throw error.inLine(lines.number, line)
                }
            }
            try ListLoss(count: lost, total: total).refuse(above: mostLost)
        }
        return (added, replaced)
    }

    /// - Parameter isListed: it comes by a list, and no phone has come for what phones are given.
    private func enrol(_ request: EnrolmentRequest, knowing known: EnrolledKey?, _ rows: EnrolledRows, now: Int64, isListed: Bool = false)
        throws(AuthorityError) -> Enrolment {
        let key = try request.enrolledKey()
        try rows.refuseOtherRoles(key)
        if known != key { try rows.ceiling?.refuse(.enrolled(key), now: now) }
        try rows.refuseRevoked(key)
        if let known, known.use != key.use { throw .otherUse }
        if !isListed || key != known { try rows.put(key, inPlaceOf: known, now: now) }
        let (was, held) = (known.map { HeldRights($0) }, HeldRights(key))
        return Enrolment(key: key, isReplacement: known != nil, gains: held.beyond(was), losses: was?.beyond(held),
                         mayUseKeyIdentifier: request.claims == nil || request.claims == key.credential)
    }
}

extension AuthorityError {
    /// The same, as the fault of one line. Faults of the machine stay what they are.
    fileprivate func inLine(_ number: Int, _ line: [UInt8]) -> AuthorityError {
        if case .forbiddenName(let name, _) = self, let column = EnrolmentLine.column(of: name, in: line) {
            return .line(number, code: code, message: "Column \(column): \(message)")
        }
        return switch self {
        case .system, .storage, .line: self
        case .noAuthority, .alreadyThere, .inUse, .folderExposed, .keyExposed, .badName, .noGatesSite, .forbiddenName, .gatesThere, .noGates, .rotationUnderWay, .oldKeysNeeded, .issuersChanging, .noNewIssuer, .issuerUnpublished,
             .issuerUnused, .oldIssuerNeeded, .issuerThere, .issuerAlike, .noIssuer, .beyondCeiling, .issuerIsOurs, .issuerNotOff, .sharedIssuer, .keyOfTwoRoles,
             .keptFile,
             .notAPersons, .aPersons, .gateToken, .phoneKey, .otherKeyIdentifier, .keyFile, .wrongRole, .wrongCurve, .otherUse,
             .keyWellKnown, .keyIsPrivate, .keyRevoked, .subjectRevoked, .holderTakenBack, .notSuspended, .notBanned, .unknown, .nobody, .noPhone, .otherSubject, .importRefused, .badSubject, .badAudience, .rightsTooLong, .tooManyGroups, .tooMuchLost, .cardNumber, .cardCommand, .cardUnknown, .badCommand, .badKeyIdentifier,
             .badTimes, .timesTooLate, .listEntry, .listedTwice, .token, .credential, .notAGateList, .notAStatus, .evidence, .journal, .recordNotCollected, .checkpoint, .rules, .noRules, .repository, .publication, .cryptography:
            .line(number, code: code, message: message)
        }
    }
}

/// What became of a key that was to be enrolled.
public struct Enrolment: Sendable {
    /// The record for the gates.
    public let key: EnrolledKey
    /// Whether the key was enrolled before; what was known of it is replaced.
    public let isReplacement: Bool
    /// What its holder gains; of a new key: all of it.
    public let gains: RightsChange?
    /// What its holder, or the one who had it before, loses.
    public let losses: RightsChange?
    /// Whether the phone may name its key by `kid` alone: gates then take `key.credential` as its claims
    /// set. A phone whose own claims set has other bytes must send it by value.
    public let mayUseKeyIdentifier: Bool

    /// Where, what and when.
    public var rights: Rights { key.rights }
}
