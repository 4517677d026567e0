import Configuration
import Credentials
import Encoding
import SiteData
import SiteRules

/// What only the whole shows.
extension SiteReading {
    mutating func diagnose(_ rules: SiteRules) {
        checkLength(of: rules)
        for diagnosis in rules.diagnoses where isNews(diagnosis) {
            let places = diagnosis.entries.compactMap { origins[$0] }
            let other = places.count > 1 ? places.first.map { " The other one stands in line \($0.line)." } ?? "" : ""
            issues.error(diagnosis.code.code, at: places.last, diagnosis.message.prefix(1).uppercased() + String(diagnosis.message.dropFirst()) + other)
        }
    }

    /// Names were looked up before, with a suggestion. Of a schedule that could only be read in part nothing is said.
    private func isNews(_ diagnosis: SiteDiagnosis) -> Bool {
        switch diagnosis.code {
        case .timeZoneMissing, .scheduleUnknown, .holidayUnknown: false
        case .planContradicts: unreadSchedules.isEmpty
        case .scheduleNeverOpens, .scheduleContradicts: !diagnosis.entries.contains { entry in
            switch entry {
            case .schedule(let name), .holidayWindows(let name, _), .oneOff(let name, _): unreadSchedules.contains(name)
            case .timeZone, .planEntry, .rule: false
            }
        }
        }
    }

    private mutating func checkLength(of rules: SiteRules) {
        let length = rules.records.reduce(0) { $0 + $1.cbor.encoded.count }
        if length > SitePublication.longestRules {
            issues.error("rules-too-long", at: nil, "The rules are \(length) bytes together, members aside; gates take \(SitePublication.longestRules).")
        }
        for record in rules.records where record.cbor.encoded.count > SitePublication.longestRecord {
            issues.error("rules-too-long", at: nil, "One of the tables is longer than \(SitePublication.longestRecord) bytes as a record; split it.")
        }
        for excess in rules.records.compactMap(\.excess) { issues.error("rules-too-long", at: nil, excess) }
    }
}

/// UID-only cards of a gate that stands alone (V8). What is said of a mistake may stand in the log, so that it names no number.
extension SiteReading {
    mutating func uidOnlyCards() -> [UIDOnlyCard] {
        guard context.hasPeople else { return [] }
        var first: [UIDOnlyCardNumber: TableReading] = [:]
        return tables("uid-only-card").compactMap { table -> UIDOnlyCard? in
            if let subject = table.text("subject") { checkSubject(subject, at: table.position(of: "subject")) }
            let number = number(of: table), places = places(of: table), times = times(of: table)
            guard let subject = table.text("subject"), let number else { return nil }
            if let earlier = first[number] {
                issues.error("uid-used-twice", at: table.position(of: "uid"),
                             "\(table.path) has the number of \(earlier.path) (line \(earlier.position(of: "uid").line)).")
            } else {
                first[number] = table
            }
            return UIDOnlyCard(number: number, subject: subject, audiences: places, notBefore: times.notBefore, expiresAt: times.expiresAt)
        }
    }

    private mutating func number(of table: TableReading) -> UIDOnlyCardNumber? {
        guard let text = table.text("uid") else { return nil }
        let position = table.position(of: "uid")
        guard let bytes = try? Hex.decode(text) else {
            issues.error("bad-uid", at: position, "\(table.path).uid is not hexadecimal: two digits a byte, nothing in between.")
            return nil
        }
        do throws(UIDOnlyCardNumberFlaw) {
            return try UIDOnlyCardNumber(bytes)
        } catch {
            issues.error("bad-uid", at: position, "\(table.path).uid: \(error.message)")
            return nil
        }
    }
}
