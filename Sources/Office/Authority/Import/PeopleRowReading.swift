import Credentials
import Cryptography
import Encoding
import SiteRules

/// Reads the cells of one line. Every cell that cannot be read is told.
struct PeopleRowReading {
    private let cells: [PeopleColumn: CSVField]
    private let position: CSVPosition
    private(set) var issues: [ImportIssue] = []

    init(_ cells: [PeopleColumn: CSVField], at position: CSVPosition) {
        self.cells = cells
        self.position = position
    }

    /// The line; nil if anything is wrong with it.
    mutating func read() -> PeopleRow? {
        let action = choice(.action, [("set", PeopleRow.Action.set), ("remove", .remove)]) ?? .set
        let subject = subject(action)
        let use = choice(.use, [("sign", KeyUse.sign), ("agree", .agree)])
        let userVerification = choice(.userVerified, [("yes", true), ("true", true), ("no", false), ("false", false)])
        let key = key(), identifier = keyIdentifier(), card = card(), groups = groups(action), listed = listed(userVerification)
        if issues.isEmpty { checkTogether(action) }
        guard issues.isEmpty else { return nil }
        return PeopleRow(action: action, subject: subject, key: key, use: use, keyIdentifier: identifier, card: card, groups: groups,
                         listed: listed, cells: cells, position: position)
    }

    // One cell ----------------------------------------------------------------------------------------

    /// The text of a cell; nil if it is empty.
    private func text(_ column: PeopleColumn) -> String? {
        guard let text = cells[column]?.text.trimmed, !text.isEmpty else { return nil }
        return text
    }

    private mutating func wrong(_ column: PeopleColumn, code: String, _ message: String) {
        issues.append(ImportIssue(cells[column]?.position ?? position, code: code, message))
    }

    private mutating func wrong(_ column: PeopleColumn, _ error: AuthorityError) { wrong(column, code: error.code, error.message) }

    private mutating func subject(_ action: PeopleRow.Action) -> String {
        do throws(AuthorityError) {
            return try SubjectName.checked(text(.subject) ?? "")
        } catch {
            // What has such a name from before can be taken away by it.
            if case .forbiddenName(let name, _) = error, action == .remove { return name }
            wrong(.subject, error)
            return ""
        }
    }

    private mutating func choice<Value>(_ column: PeopleColumn, _ values: [(String, Value)]) -> Value? {
        guard let text = text(column) else { return nil }
        let word = text.lowercased()
        if let value = values.first(where: { $0.0 == word }) { return value.1 }
        wrong(column, code: "csv-value", "'\(text)' is none of \(values.map(\.0).joined(separator: ", ")).")
        return nil
    }

    private mutating func bytes(_ column: PeopleColumn) -> [UInt8]? {
        guard let text = text(column) else { return nil }
        if let bytes = try? Hex.decode(text) { return bytes }
        wrong(column, code: "csv-value", "This is not hexadecimal.")
        return nil
    }

    private mutating func key() -> PhoneKey? {
        guard let text = text(.key) else { return nil }
        do throws(PhoneKeyError) {
            return try PhoneKey(parsing: Array(text.utf8))
        } catch {
            wrong(.key, .phoneKey(path: nil, error))
            return nil
        }
    }

    private mutating func keyIdentifier() -> [UInt8]? {
        guard let identifier = bytes(.kid) else { return nil }
        if !(1...64).contains(identifier.count) { wrong(.kid, .badKeyIdentifier) }
        return identifier
    }

    private mutating func card() -> UIDOnlyCardNumber? {
        guard let number = bytes(.uid) else { return nil }
        do throws(UIDOnlyCardNumberFlaw) {
            return try UIDOnlyCardNumber(number)
        } catch {
            wrong(.uid, .cardNumber(error))
            return nil
        }
    }

    private func list(_ column: PeopleColumn, _ separator: Character = PeopleColumn.separator) -> [String] {
        (text(column) ?? "").split(separator: separator).map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    private mutating func groups(_ action: PeopleRow.Action) -> [String] {
        let groups = list(.groups).map(\.composed)
        if let long = groups.first(where: { $0.utf8.count > SiteRecord.longestText }) {
            wrong(.groups, code: "csv-value", "The group '\(long.prefix(32))…' has more than \(SiteRecord.longestText) bytes.")
        }
        if action == .set, let (group, flaw) = groups.lazy.compactMap({ group in NameRule.flaw(in: group).map { (group, $0) } }).first {
            wrong(.groups, .forbiddenName(group, flaw))
        }
        return groups
    }

    /// What the cells that there are say of rights.
    private mutating func listed(_ userVerification: Bool?) -> ListedRights {
        var listed = ListedRights(namesKey: cells[.kid] != nil, givesUse: cells[.use] != nil)
        if cells[.audiences] != nil { listed.audiences = list(.audiences) }
        if cells[.scope] != nil { listed.scope = text(.scope) == nil ? [TokenClaims.defaultCommand] : list(.scope, " ") }
        if cells[.notBefore] != nil { listed.notBefore = .some(time(.notBefore)) }
        if cells[.expires] != nil { listed.expiresAt = .some(time(.expires)) }
        if cells[.userVerified] != nil { listed.userVerification = userVerification ?? false }
        // It would be the whole site, and nobody has said that.
        if text(.audiences) != nil, listed.audiences == [] { wrong(.audiences, code: "csv-value", "This names no place.") }
        do throws(AuthorityError) { _ = try listed.rights() } catch { wrong(Self.column(of: error), error) }
        return listed
    }

    private static func column(of error: AuthorityError) -> PeopleColumn {
        if case .badAudience = error { return .audiences }
        if case .rightsTooLong = error { return .audiences }
        if case .badCommand = error { return .scope }
        if case .forbiddenName(let name, _) = error { return name.hasPrefix(Place.scheme) ? .audiences : .scope }
        return .expires
    }

    private mutating func time(_ column: PeopleColumn) -> Int64? {
        guard let text = text(column) else { return nil }
        if let milliseconds = UTCText.read(text), milliseconds >= 0 { return milliseconds / 1000 }
        wrong(column, code: "csv-value", "'\(text)' is no time in UTC such as 2025-01-31T08:00:00Z, and no day.")
        return nil
    }

    // Several cells -----------------------------------------------------------------------------------

    private mutating func checkTogether(_ action: PeopleRow.Action) {
        if text(.key) == nil, text(.uid) == nil, text(.groups) == nil {
            issues.append(ImportIssue(position, code: "csv-nothing", "The line has no key, no card and no group."))
        }
        if text(.key) == nil {
            for column in [PeopleColumn.kid, .use, .userVerified] where text(column) != nil {
                wrong(column, code: "csv-value", "'\(column.rawValue)' says something about a key, and the line has none.")
            }
        }
        // Nobody belongs to a group until a day: who lists that would be in it for ever.
        if action == .set, text(.key) == nil, text(.uid) == nil {
            for column in [PeopleColumn.audiences, .scope, .notBefore, .expires] where text(column) != nil {
                wrong(column, code: "csv-value", "'\(column.rawValue)' says something about a key or card, and the line has groups only.")
            }
        }
        if text(.uid) != nil, let scope = text(.scope), scope != UIDOnlyCard.command { wrong(.scope, .cardCommand) }
    }
}
