import Credentials
import Cryptography
import Encoding
import SiteRules
import Testing

@testable import Authority
@testable import SiteData

/// Whatever a site's data say stands in the lines that somebody signs.
@Suite("All of a site's data is shown") struct ShownSiteTests {
    /// Records of each kind, with everything in them that there may be, and with as little.
    static func samples() throws -> [PublicationRecord] {
        let key = try phoneKey()
        let others: [PublicationRecord] = [
            .issuer(TokenIssuer(name: "north-issuer", key: key)), .issuer(TokenIssuer(name: "north-issuer", key: key, ceiling: IssuerCeiling())),
            .issuer(TokenIssuer(name: "visitors", key: key, ceiling: IssuerCeiling(
                commands: ["tokn", "hold"], audiences: ["tapstile:north/hall"], schedule: "days", longest: 3600, userVerification: true, until: now, isOff: true))),
            .revocation(.issuer("visitors")),
            .gateCredential(GateCredential(site: "north", key: key).claims),
            .gateCredential(ConfirmedKeyCredential(key: COSEKey(key: key, keyIdentifier: [7], use: .sign), subject: "north").raw),
            .gateCredential(GateListEntry.issuer(GateIssuer(site: "north", name: "gates", key: key)).encoded),
            .revocation(.token(try #require(TokenIdentifier(key.thumbprint)))), .revocation(.issued(issuer: "old", cti: [1, 2])),
            .revocation(.subject("mallory")), .revocation(.suspended("mallory")), .revocation(.key(thumbprint: key.thumbprint)),
            .ceiling(.standard),
            .ceiling(Ceiling(commands: ["tokn", "hold"], audiences: ["tapstile:north/hall", "tapstile:north/yard"], groups: ["staff", "guests"], longest: 86_400,
                             uidOnlyCards: true, userVerification: false)),
            .message(try #require(SiteMessage(language: "de", name: "granted", text: "Bitte")))
        ]
        return try rules().map(PublicationRecord.rule) + others
    }

    private static func rules() throws -> [SiteRecord] {
        let christmas = try #require(CivilDate(year: 2026, month: 12, day: 25)), after = try #require(CivilDate(year: 2026, month: 12, day: 26))
        let day = try #require(DayWindow(opens: 420, closes: 720)), night = try #require(DayWindow(opens: 1320, closes: 1800))
        let once = try #require(OneOff(from: LocalMinute(christmas), to: LocalMinute(after, minuteOfDay: 60), opens: true, priority: 7))
        return [
            .timeZone(try #require(TimeZoneName("Europe/Berlin"))),
            .holidays(HolidayCalendar(kind: "public", dates: [.days(first: christmas, last: after), .yearly(month: 2, day: 28)])),
            .holidays(HolidayCalendar(kind: "none", dates: [])),
            .schedule(Schedule(name: "office", week: [.monday: [day, night], .tuesday: [day, night], .saturday: [.wholeDay]],
                               holidays: [HolidayWindows(kind: "public", windows: []), HolidayWindows(kind: "half", windows: [day])], oneOffs: [once])),
            .lanePlan(LanePlan(lane: "main", entries: [
                LanePlanEntry(schedule: "office", mode: .freePassage, direction: .in, priority: 9), LanePlanEntry(schedule: nil, mode: .normal)
            ])),
            .access(AccessRule(group: "guests", lanes: ["main", "yard"], schedule: "office")), .access(AccessRule(group: "guests")),
            .zone(ZoneRule(zone: "hall", passback: .timed(minutes: 30), resetMinute: 240, exemptGroups: ["staff", "guests"], capacity: 100)),
            .zone(ZoneRule(zone: "yard", passback: .off))
        ]
    }

    @Test func noKindIsForgotten() throws {
        let records = try Self.samples()
        #expect(Set(records.map(\.kind)) == BundlePart.site.kinds)
        for record in records { #expect(record.shownLines?.isEmpty == false) }
        #expect(PublicationRecord.rule(.membership(Membership(group: "staff", subject: "anna"))).shownLines == nil, "people stand elsewhere")
        #expect(PublicationRecord.gateCredential([1, 2, 3]).shownLines == nil, "has no words")
    }

    /// Each field is changed in every way that makes a record; no two of all these read alike.
    @Test func whoeverChangesAFieldChangesALine() throws {
        var readings: [[ExactText]: [UInt8]] = [:]
        var changes = 0
        for record in try Self.samples() {
            for changed in try [record] + Self.neighbours(of: record) {
                guard let lines = changed.shownLines?.map(ExactText.init) else { continue }
                let same = readings.updateValue(changed.encoded, forKey: lines)
                #expect(same == nil || same == changed.encoded, "\(lines.map(\.text)) says two things")
                changes += 1
            }
        }
        #expect(changes > 250)
    }

    private static func neighbours(of record: PublicationRecord) throws -> [PublicationRecord] {
        var records = neighbours(of: try CBOR.decode(record.encoded)).compactMap { try? PublicationRecord(cbor: $0) }
        // What stands in a gate's credential, too.
        if case .gateCredential(let raw) = record { records += neighbours(of: try CBOR.decode(raw)).map { .gateCredential($0.encoded) } }
        return records
    }

    /// The item with one thing in it changed.
    private static func neighbours(of item: CBOR) -> [CBOR] {
        switch item {
        case .unsigned, .negative:
            let steps: [Int64] = [-70, -1, 1, 2, 60, 1440]
            return steps.map { CBOR((item.integer ?? 0) + $0) } + [CBOR.null]
        case .bytes(let bytes): return [.bytes(bytes.dropLast() + [(bytes.last ?? 0) ^ 1]), .bytes(bytes + [0])]
        case .text(let text):
            let texts: [String] = ["\(text)x", "\(text)', 'x", "\(text)\\", "\(text)\u{301}", String(text.dropLast())]
            return texts.map(CBOR.text) + [CBOR.null]
        case .simple: return [.null, CBOR(true), CBOR(false), 0, 60, "office", []]
        case .array(let items): return neighbours(of: items).map(CBOR.array) + [.array(items.reversed()), CBOR.null]
        case .map(let map): return neighbours(of: map)
        case .tagged, .float: return []
        }
    }

    /// One item changed, left out or there twice.
    private static func neighbours(of items: [CBOR]) -> [[CBOR]] {
        var all: [[CBOR]] = []
        for place in items.indices {
            let before = Array(items[..<place]), after = Array(items[(place + 1)...])
            for changed in neighbours(of: items[place]) { all.append(before + [changed] + after) }
            all.append(before + after)
            all.append(before + [items[place], items[place]] + after)
        }
        return all
    }

    /// One value changed or left out, or one more.
    private static func neighbours(of map: CBORMap) -> [CBOR] {
        let entries: [(CBOR, CBOR)] = map.entries.map { ($0.key, $0.value) }
        let hidden: (CBOR, CBOR) = (99, "hidden")
        var all = [CBOR.map(CBORMap(entries + [hidden]))]
        for place in entries.indices {
            let rest = Array(entries[..<place]) + Array(entries[(place + 1)...])
            for changed in neighbours(of: entries[place].1) { all.append(.map(CBORMap(rest + [(entries[place].0, changed)]))) }
            all.append(.map(CBORMap(rest)))
        }
        return all
    }

    @Test func theLinesAreWordsThatAPersonJudges() throws {
        let lines = try Self.rules().flatMap { $0.shownLines ?? [] }
        #expect(lines == [
            "time zone 'Europe/Berlin'", "holidays 'public': 2 entries", "holidays 'public': 2026-12-25 to 2026-12-26",
            "holidays 'public': every year on 02-28", "holidays 'none': 0 entries",
            "schedule 'office': Monday, Tuesday 07:00-12:00, 22:00-06:00 of the next day; Wednesday to Friday, Sunday never; Saturday 00:00-24:00",
            "schedule 'office': on holidays 'public' (no. 1) never", "schedule 'office': on holidays 'half' (no. 2) 07:00-12:00",
            "schedule 'office': once, from 2026-12-25 00:00 to 2026-12-26 01:00, in force, priority 7",
            "plan of the lane 'main': free-passage (in) during the schedule 'office', priority 9", "plan of the lane 'main': normal at all other times",
            "group 'guests' may pass the lanes 'main', 'yard' during the schedule 'office'", "group 'guests' may pass every lane at ALL times",
            "zone 'hall': anti-passback for 30 minutes; exempt: the groups 'staff', 'guests'; everybody counts as gone: at 04:00; room for 100 people",
            "zone 'yard': no anti-passback; exempt: nobody; everybody counts as gone: never; room for any number"
        ])
        #expect(Ceiling(commands: ["tokn"], audiences: [], groups: [], longest: 90_000, uidOnlyCards: true, userVerification: false).shownLine
            == "people may be given at most: the command 'tokn'; the whole site; no group; for 90000 seconds; UID-only cards yes; user verification no")
    }

    // A whole part -------------------------------------------------------------------------------

    private func bundle(_ records: [PublicationRecord], epoch: UInt64 = 1, version: UInt64 = 1, needs: String = "0.1.0") throws -> [UInt8] {
        var counts = PublicationCounts()
        for record in records { counts.count(record) }
        var writer = BundleWriter(try BundleHeader(part: .site, site: "north", epoch: epoch, version: version, counts: counts, needs: needs))
        var bytes = writer.head
        for record in records.sorted(by: { RecordKey($0) < RecordKey($1) }) { bytes += try writer.add(.put(record)) }
        return bytes
    }

    private func contents(_ bytes: [UInt8]) throws -> SiteContents { try #require(SiteContents(parsing: bytes, site: "north")) }

    @Test func whatTheHeaderSaysIsShownAndMarked() throws {
        let before = try contents(bundle([]))
        #expect(try contents(bundle([], epoch: 2)).difference(from: before) == ["+ people are counted in epoch 2", "- people are counted in epoch 1"])
        #expect(try contents(bundle([], version: 2)).difference(from: before).count == 2)
        #expect(try contents(bundle([], needs: "0.2.0")).difference(from: before).count == 2)
        #expect(before.difference(from: before) == [])
    }

    @Test func aHeaderThatSaysMoreIsNotShownAndIsNone() throws {
        let honest = try bundle([])
        let header = try #require(try CBOR.decode(honest).map)
        for more: (CBOR, CBOR) in [(11, "hidden"), (-1, 1)] {
            let made = CBOR.map(CBORMap(header.entries.map { ($0.key, $0.value) } + [more])).encoded
            #expect(SiteContents(parsing: made, site: "north") == nil)
        }
        #expect(SiteContents(parsing: honest, site: "south") == nil)
    }

    @Test func thousandsOfHolidaysStayWhole() throws {
        let dates = (Int64(0)..<2000).map { HolidayDate.days(first: CivilDate(daysSince1970: 20_000 + $0 * 2), last: CivilDate(daysSince1970: 20_000 + $0 * 2)) }
        let calendar = HolidayCalendar(kind: "public", dates: dates)
        let whole = try contents(bundle([.rule(.holidays(calendar))]))
        #expect(whole.lines.filter { $0.hasPrefix("holidays 'public': 2") }.count == 2001)
        let less = try contents(bundle([.rule(.holidays(HolidayCalendar(kind: "public", dates: dates.dropLast())))]))
        #expect(whole.difference(from: less).count == 3, "the day, and how many")
    }

    @Test func theSameInAnotherOrderIsMarked() throws {
        func plan(_ entries: [LanePlanEntry]) throws -> SiteContents { try contents(bundle([.rule(.lanePlan(LanePlan(lane: "main", entries: entries)))])) }
        let entries = [LanePlanEntry(schedule: "a", mode: .freePassage), LanePlanEntry(schedule: "b", mode: .closed)]
        #expect(try plan(entries.reversed()).difference(from: plan(entries)).count == 4)
    }

    @Test func theCeilingThatCountsWithoutOneIsShown() throws {
        let said = Ceiling(commands: ["tokn", "hold"], audiences: [], groups: nil, longest: nil, uidOnlyCards: false, userVerification: true)
        let without = try contents(bundle([])), with = try contents(bundle([.ceiling(said)]))
        #expect(without.lines.contains { $0.hasPrefix("people may be given at most: the command 'tokn'; the whole site") })
        #expect(with.difference(from: without).map { $0.prefix(1) } == ["+", "-"])
    }

    @Test func aRuleThatGoesIsToldForWhatItIs() throws {
        let rule = PublicationRecord.rule(.access(AccessRule(group: "guests", lanes: ["yard"], schedule: "weekend")))
        let before = try contents(bundle([rule])), after = try contents(bundle([]))
        #expect(before.warnings(since: nil) == ["! there is no schedule 'weekend', which rules, plans or issuers name"])
        #expect(after.warnings(since: before) == [
            "! no rule speaks of the group 'guests' any more: whoever is in no other group with a rule may pass at ALL times"
        ])
    }
}
