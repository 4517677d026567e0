import Credentials
import Cryptography
import Encoding
import SiteData
import SiteRules
import Testing

/// An owned office signs names that hide what they are. No gate takes them, whoever signed.
@Suite("Names that are none, signed") struct ForbiddenNameTests {
    /// It hides its own line from whoever signs, and the one above.
    static let hiding = "south\u{1B}[2K\u{1B}[1A"

    static func records(naming name: String) throws -> [PublicationRecord] {
        let key = try SigningKey.generate().publicKey
        let card = try UIDOnlyCardNumber([4, 1, 2, 3, 4, 5, 6])
        return [
            .issuer(TokenIssuer(name: name, key: key)), .issuer(TokenIssuer(name: "visitors", key: key, ceiling: IssuerCeiling(schedule: name))),
            .gateCredential(GateListEntry.issuer(GateIssuer(site: "hq", name: name, key: key)).encoded),
            .gateCredential(GateListEntry.issuer(GateIssuer(site: name, name: "gates", key: key)).encoded),
            .gateCredential(GateCredential(site: name, key: key).claims),
            .enrolled(EnrolledKey(keyIdentifier: [1], key: key, use: .sign, subject: name)),
            .enrolled(EnrolledKey(keyIdentifier: [1], key: key, use: .sign, subject: "anna", scope: ["tokn", name])),
            .enrolled(EnrolledKey(keyIdentifier: [1], key: key, use: .sign, subject: "anna", audiences: [name])),
            .uidOnlyCard(UIDOnlyCard(number: card, subject: name, audiences: [], notBefore: nil, expiresAt: nil)),
            .uidOnlyCard(UIDOnlyCard(number: card, subject: "anna", audiences: [name], notBefore: nil, expiresAt: nil)),
            .rule(.holidays(HolidayCalendar(kind: name, dates: []))), .rule(.schedule(Schedule(name: name, week: [:]))),
            .rule(.schedule(Schedule(name: "s", week: [:], holidays: [HolidayWindows(kind: name, windows: [])]))),
            .rule(.lanePlan(LanePlan(lane: name, entries: []))),
            .rule(.lanePlan(LanePlan(lane: "entry", entries: [LanePlanEntry(schedule: name, mode: .closed, direction: nil, priority: 0)]))),
            .rule(.access(AccessRule(group: name, lanes: ["entry"], schedule: nil))), .rule(.access(AccessRule(group: "g", lanes: [name], schedule: nil))),
            .rule(.access(AccessRule(group: "g", lanes: [], schedule: name))),
            .rule(.zone(ZoneRule(zone: name, passback: .off, resetMinute: nil, exemptGroups: [], capacity: nil))),
            .rule(.zone(ZoneRule(zone: "z", passback: .off, resetMinute: nil, exemptGroups: [name], capacity: nil))),
            .rule(.membership(Membership(group: name, subject: "anna"))), .rule(.membership(Membership(group: "g", subject: name)))
        ]
    }

    @Test(arguments: [hiding, "anna\ngranted", "an\u{200B}na", "a\u{202E}nna", "anna ", "a\u{A0}b"])
    func noGateTakesAPublicationWithOne(name: String) throws {
        for record in try Self.records(naming: name) {
            var fixture = try PublicationFixture()
            fixture.records = [record]
            let refusal = fixture.refusal(of: try fixture.file())
            #expect(refusal?.code == "publication-name-forbidden", "\(record): \(refusal.map { "\($0)" } ?? "taken")")
            #expect(refusal.map { PrintedText.line($0.message) == $0.message } == true, "what is said of it hides nothing")
        }
    }

    @Test func aNameInAnyScriptIsTaken() throws {
        for name in ["Nguyễn Thị Ánh", "علی\u{200C}رضا", "王小明"] {
            for record in try Self.records(naming: name) {
                var fixture = try PublicationFixture()
                fixture.records = [record]
                #expect(fixture.refusal(of: try fixture.file()) == nil, "\(record)")
            }
        }
    }

    /// Bundles are written by who would not write it, and read by who would not take it.
    @Test func noBundleIsMadeWithOne() throws {
        for record in try Self.records(naming: Self.hiding) {
            var counts = PublicationCounts()
            counts.count(record)
            let isOfPeople = switch record {
            case .enrolled, .uidOnlyCard, .rule(.membership): true
            default: false
            }
            let header = try BundleHeader(part: isOfPeople ? .people : .site, site: "hq", epoch: 1, version: 1, counts: counts,
                                          digest: isOfPeople ? [UInt8](repeating: 0, count: 32) : nil, needs: "x")
            var writer = BundleWriter(header)
            do throws(BundleError) {
                _ = try writer.add(.put(record))
                Issue.record("\(record)")
            } catch {
                #expect(error.code == "publication-name-forbidden")
            }
        }
    }

    /// To take something back is never too much: who has such a name from before must not be out of reach.
    @Test func aRevocationMayNameAnybody() throws {
        var fixture = try PublicationFixture()
        fixture.records = [.revocation(.subject(Self.hiding)), .revocation(.suspended("anna ")), .revocation(.issued(issuer: Self.hiding, cti: [1]))]
        #expect(fixture.refusal(of: try fixture.file()) == nil)
    }

    @Test func aWordThatPeopleAreShownHasNothingUnseen() throws {
        for text in ["Zut\u{202E}", "a\u{200B}", "\u{9B}2J"] {
            var fixture = try PublicationFixture()
            fixture.records = [.message(try #require(SiteMessage(language: "fr", name: "expired", text: text)))]
            #expect(fixture.refusal(of: try fixture.file())?.code == "publication-name-forbidden")
        }
        var fixture = try PublicationFixture()
        fixture.records = [.message(try #require(SiteMessage(language: "fr", name: "expired", text: "Désolé\u{A0}!")))]
        #expect(fixture.refusal(of: try fixture.file()) == nil, "blanks are as they like")
    }
}
