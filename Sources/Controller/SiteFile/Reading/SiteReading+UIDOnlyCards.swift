import Configuration
import Credentials
import Encoding

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
