import Credentials
import Cryptography

extension Authority {
    /// Enrols a key, or replaces what was known of it.
    public func enrol(_ request: EnrolmentRequest, now: Int64) throws(AuthorityError) -> Enrolment {
        let rows = try EnrolledRows(database, otherRoles: keysOfOtherRoles())
        return try database.transaction { () throws(AuthorityError) in try enrol(request, rows, now: now) }
    }

    /// Enrols the keys of a file, one JSON object a line (see `EnrolmentLine`): all of them or, if one
    /// cannot be taken, none. The file is read piece by piece; "-" is standard input.
    /// - Returns: how many keys are new, and how many were replaced.
    public func enrol(listAt path: String, now: Int64) throws(AuthorityError) -> (added: Int, replaced: Int) {
        let rows = try EnrolledRows(database, otherRoles: keysOfOtherRoles())
        let lines = try LineReader(path: path)
        var added = 0
        var replaced = 0
        try database.transaction { () throws(AuthorityError) in
            while let line = try lines.next() {
                do throws(AuthorityError) {
                    let enrolment = try enrol(EnrolmentLine.read(line), rows, now: now)
                    if enrolment.isReplacement { replaced += 1 } else { added += 1 }
                } catch {
                    throw error.inLine(lines.number, line)
                }
            }
        }
        return (added, replaced)
    }

    private func enrol(_ request: EnrolmentRequest, _ rows: EnrolledRows, now: Int64) throws(AuthorityError) -> Enrolment {
        let key = try request.enrolledKey()
        try rows.refuseOtherRoles(key)
        try rows.refuseRevoked(key)
        let known = try rows.known(key.key)
        if let known, known.use != key.use { throw .otherUse }
        try rows.put(key, inPlaceOf: known, now: now)
        return Enrolment(key: key, isReplacement: known != nil,
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
        case .noAuthority, .alreadyThere, .inUse, .badName, .forbiddenName, .gatesThere, .noGates, .rotationUnderWay, .oldKeysNeeded, .issuersChanging, .noNewIssuer, .issuerUnpublished,
             .issuerUnused, .oldIssuerNeeded, .issuerThere, .sharedIssuer, .keyOfTwoRoles,
             .notAPersons, .aPersons, .gateToken, .phoneKey, .otherKeyIdentifier, .keyFile, .wrongRole, .wrongCurve, .otherUse,
             .keyRevoked, .subjectRevoked, .notSuspended, .notBanned, .unknown, .nobody, .noPhone, .otherSubject, .importRefused, .badSubject, .badAudience, .cardNumber, .cardCommand, .cardUnknown, .badCommand, .badKeyIdentifier,
             .badTimes, .listEntry, .token, .credential, .notAGateList, .notAStatus, .evidence, .journal, .checkpoint, .rules, .noRules, .repository, .publication, .cryptography:
            .line(number, code: code, message: message)
        }
    }
}
