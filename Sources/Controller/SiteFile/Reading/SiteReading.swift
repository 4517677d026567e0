import Configuration
import Credentials
import SiteData
import SiteRules
import Spelling

/// Makes values of what the schema has let through, and collects whatever is wrong with them: one mistake does not
/// hide the next.
struct SiteReading {
    let root: TableReading
    var issues: IssueList
    /// What is wrong with files that are named.
    var elsewhere: [ConfigurationIssue] = []
    /// Where relative paths begin.
    let folder: String
    let context: SiteFileContext
    /// Where parts of the rules were written.
    var origins: [SiteEntry: TextPosition] = [:]
    /// Schedules of which something could not be read: what is missing in them would be found as well.
    var unreadSchedules: Set<String> = []

    init(root: TableReading, issues: IssueList, folder: String, context: SiteFileContext) {
        self.root = root
        self.issues = issues
        self.folder = folder
        self.context = context
    }

    /// All of it.
    mutating func site() throws(InvalidSiteFile) -> LoadedSite {
        for list in ["holiday", "schedule", "group", "zone", "lane", "issuer"] { checkNames(of: list) }
        let records = zoneRecords() + holidays() + schedules() + plans() + rules() + zones()
        let people = people(), cards = uidOnlyCards(), issuers = issuers(), revocations = revocations()
        let memberships = memberships(), ceiling = ceiling(), issuerCeilings = issuerCeilings(), words = shownMessages()
        checkWhereTablesBelong()
        checkTimeZoneIsThere()
        checkKeys(of: people, issuers)
        checkSecondFactors(of: people, issuers)
        let rules = try together(records)
        diagnose(rules)
        guard !issues.hasErrors, !elsewhere.contains(where: { $0.severity == .error }) else { throw invalid }
        return LoadedSite(rules: rules, memberships: memberships, people: people.map(\.key), uidOnlyCards: cards, issuers: issuers.map(\.issuer),
                          revocations: revocations, messages: words, ceiling: ceiling, issuerCeilings: issuerCeilings, warnings: issues.sorted + elsewhere)
    }

    var invalid: InvalidSiteFile { InvalidSiteFile(issues: issues.sorted + elsewhere) }

    /// Names differ, so that this only fails for what was an issue before.
    private func together(_ records: [SiteRecord]) throws(InvalidSiteFile) -> SiteRules {
        do throws(SiteRulesError) { return try SiteRules(records) } catch { throw invalid }
    }

    // Names -------------------------------------------------------------------------------------

    func tables(_ list: String) -> [TableReading] { root.lists[list] ?? [] }

    func names(of list: String) -> [String] { tables(list).compactMap { $0.text("name") } }

    private mutating func checkNames(of list: String) {
        var first: [String: TableReading] = [:]
        for table in tables(list) {
            guard let name = table.text("name") else { continue }
            if let earlier = first[name] {
                issues.error("duplicate-name", at: table.position(of: "name"),
                             "The name \"\(name)\" is already that of \(earlier.path) (line \(earlier.position(of: "name").line)).")
            } else {
                first[name] = table
            }
        }
    }

    /// Says so if nothing in that list has the name. A table whose own name could not be read may be the one that is meant.
    mutating func check(_ name: String, isNamedIn list: String, at position: TextPosition, for user: String) {
        let known = names(of: list)
        guard !known.contains(name), known.count == tables(list).count else { return }
        issues.error("unknown-name", at: position, "There is no [[\(list)]] \"\(name)\" for \(user).",
                     suggestion: NearestName.find(name, among: known))
    }

    /// Names of a list of texts, each once and each known.
    mutating func references(_ key: String, in table: TableReading, to list: String) -> [String] {
        let places = distinct(key, in: table)
        for (name, position) in places { check(name, isNamedIn: list, at: position, for: "\(table.path).\(key)") }
        return places.map(\.text)
    }

    /// The texts of a list; a second one of the same is a mistake.
    mutating func distinct(_ key: String, in table: TableReading) -> [(text: String, position: TextPosition)] {
        var seen: Set<String> = []
        var places: [(text: String, position: TextPosition)] = []
        for place in table.places(key) {
            if seen.insert(place.text).inserted {
                places.append(place)
            } else {
                issues.error("repeated-value", at: place.position, "\(table.path).\(key) names \"\(place.text)\" twice.")
            }
        }
        return places
    }

    /// A schedule by its name, nil where none is named.
    mutating func schedule(of table: TableReading) -> String? {
        guard let name = table.text("schedule") else { return nil }
        check(name, isNamedIn: "schedule", at: table.position(of: "schedule"), for: table.path)
        return name
    }

    /// A lane's name: on a gate that stands alone it is one of its lanes.
    mutating func checkLane(_ name: String, at position: TextPosition, for user: String) {
        if let complaint = TextRule.identifier(name, maximum: 32) {
            issues.error("bad-text", at: position, "A lane's name \(complaint).")
        } else if let lanes = context.gate?.lanes, !lanes.contains(name) {
            issues.error("unknown-lane", at: position, "This gate has no lane \"\(name)\" for \(user).",
                         suggestion: NearestName.find(name, among: lanes))
        }
    }

    // Words -------------------------------------------------------------------------------------

    /// Reads every text of a list; what cannot be read becomes an issue.
    mutating func words<Value>(_ key: String, in table: TableReading, _ read: (String) throws(WordFault) -> Value) -> [Placed<Value>] {
        var values: [Placed<Value>] = []
        for (text, position) in table.places(key) {
            do throws(WordFault) {
                values.append(Placed(value: try read(text), position: position))
            } catch {
                issues.error(error.code, at: position, error.message, suggestion: error.suggestion)
            }
        }
        return values
    }

    /// People are the business of the authority where there is one.
    private mutating func checkWhereTablesBelong() {
        guard !context.hasPeople else { return }
        for table in SiteSchema.tablesOfPeople {
            for entry in tables(table.name) {
                issues.error("not-for-an-authority", at: entry.position,
                             "[[\(table.name)]] stands in the file of a gate without an authority; here the commands enrol, card and token have that.")
            }
        }
    }
}

/// The most that people may be given.
extension SiteReading {
    mutating func ceiling() -> Ceiling? {
        guard let table = root.tables[SiteSchema.ceiling.name] else { return nil }
        guard !context.hasPeople else {
            issues.error("only-for-an-authority", at: table.position,
                         "[\(SiteSchema.ceiling.name)] bounds what an authority gives people; on this gate they stand in the file itself.")
            return nil
        }
        return Ceiling(
            commands: commands(of: table), audiences: places(of: table),
            groups: table.present.contains("groups") ? distinct("groups", in: table).map(\.text) : nil,
            longest: table.integer("longest-days").map { Int64($0) * 86_400 }, uidOnlyCards: table.flag("uid-only-cards") ?? false,
            userVerification: table.flag("user-verified") ?? true)
    }
}
