import Configuration
import SiteRules
import TrustSync

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
