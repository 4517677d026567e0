import Credentials
import Cryptography
import Encoding
import SeededNumbers
import SiteData
import SiteRules
import Testing

@testable import Storage

/// A gate that keeps no more than the people of its own zones (S4): it decides as one that keeps everybody, and has nothing of the others.
@Suite struct OwnZonesTests {
    let fixture: TrustFixture
    init() throws { fixture = try TrustFixture() }

    /// The lanes of the gate, and its zones.
    private static let places = [("hall", "north"), ("hall", "south"), ("-", "yard")].map {
        Place(site: "hq", zone: $0.0 == "-" ? nil : $0.0, lane: $0.1)
    }
    private static let zones: Set<String> = ["hall", "-"]

    private static let audiences: [[String]] = [
        [], ["tapstile:hq"], ["tapstile:hq/hall"], ["tapstile:hq/hall/north"], ["tapstile:hq/-/yard"], ["tapstile:hq/lab"], ["tapstile:hq/lab/north"],
        ["tapstile:hq/lab", "tapstile:hq/hall/south"], ["tapstile:hq/ha"], ["tapstile:hq/hallway"], ["tapstile:hq2"], ["tapstile:hq2/hall"], ["hq/hall"],
        ["tapstile:hq/"], ["tapstile:hq//north"], ["tapstile:hq/h\u{E4}ll"], ["tapstile:hq/lab", "tapstile:hq"]
    ]

    private func card(_ number: Int, _ audiences: [String], _ subject: String) throws -> PublicationRecord {
        .uidOnlyCard(UIDOnlyCard(number: try UIDOnlyCardNumber([1, 2, 3, UInt8(number)]), subject: subject, audiences: audiences))
    }

    /// Each key and card with places of every form, so that people move between zones.
    private func pool(_ random: inout SeededNumbers) throws -> [PublicationRecord] {
        var pool: [PublicationRecord] = []
        for number in 0..<12 {
            let key = try SigningKey.generate().publicKey
            for form in 0..<3 {
                let audiences = Self.audiences[(number + form * 5) % Self.audiences.count], subject = "s\(number % 4)"
                pool.append(.enrolled(EnrolledKey(keyIdentifier: [UInt8(number)], key: key, use: .sign, subject: subject, audiences: audiences)))
                if number < 8 { pool.append(try card(number, audiences, subject)) }
            }
        }
        pool += [.revocation(.subject("s1")), .revocation(.suspended("s2")), .rule(.membership(Membership(group: "a", subject: "s3")))]
        return pool.shuffled(using: &random)
    }

    /// What is decided about everybody at each lane of the gate; how somebody is refused who has no right anywhere here makes no difference.
    private func decisions(_ store: TrustStore, _ pool: [PublicationRecord]) throws -> [String] {
        var decisions: [String] = []
        for place in Self.places {
            for record in pool {
                switch record {
                case .enrolled(let key):
                    let answer = try store.answer(TrustQuestion(issuer: nil, revocations: [], enrolled: .thumbprint(key.key.thumbprint)))
                    decisions.append(shown(Verification.verify(
                        enrolled: answer.enrolled.first, answer: answer, clock: fixture.clock, place: place, command: "tokn"), answer.enrolled.first?.groups))
                case .uidOnlyCard(let card):
                    let answer = try store.answer(TrustQuestion(about: card.number))
                    decisions.append(shown(Verification.verify(card: answer.card, answer: answer, clock: fixture.clock, place: place), answer.card?.groups))
                default: break
                }
            }
        }
        return decisions
    }

    private func shown(_ result: VerificationResult, _ groups: [String]?) -> String {
        switch result {
        case .verified(let credential): "\(credential.subject) \(groups ?? [])"
        case .refused(.wrongAudience), .refused(.unknownKey): "nobody here"
        case .refused(let reason): "\(reason)"
        }
    }

    private func site() -> [PublicationRecord] { [.issuer(fixture.issuer), .rule(.access(AccessRule(group: "a"))), .ceiling(RepositoryOffice.ceiling)] }

    @Test(arguments: UInt64(0)..<6) func itDecidesAsOneThatKeepsEverybody(_ seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let pool = try pool(&random), other = try TrustFixture()
        let own = try fixture.open(), all = try other.open()
        let office = try RepositoryOffice(Array(pool.prefix(20)), site: site())
        func both(_ body: (TrustStore) throws -> Void) throws {
            office.zones = Self.zones
            try body(own)
            office.zones = nil
            try body(all)
        }
        try both { try office.apply(to: $0) }
        var have = office.version
        var granted = 0
        for round in 0..<12 {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let some = pool.shuffled(using: &random).prefix(6)
                let gone = some.prefix(Int.random(in: 0...3, using: &random)).map { RecordKey($0) }
                office.publish(some.filter { !gone.contains(RecordKey($0)) }, gone: gone)
            }
            let from = UInt64.random(in: 1...have, using: &random)
            try both { if round == 7 { try office.apply(to: $0) } else { try office.change($0, from: from) } }
            have = office.version
            let decided = try decisions(own, pool)
            #expect(try decided == decisions(all, pool), "round \(round)")
            #expect(own.status.publication?.bodyHash == all.status.publication?.bodyHash)
            let counts = try #require(own.status.publication?.counts), everybody = try #require(all.status.publication?.counts)
            #expect(counts.enrolled + counts.uidOnlyCards < everybody.enrolled + everybody.uidOnlyCards)
            #expect(counts.revocations == everybody.revocations && counts.memberships == everybody.memberships)
            granted += decided.filter { $0.hasPrefix("s") }.count
        }
        #expect(granted > 100)
        own.close()
        #expect(try decisions(fixture.open(), pool) == decisions(all, pool), "opened again")
    }

    @Test func ofOthersNothingIsOnTheDisk() throws {
        let mine = try fixture.enrolled(1, subject: "who-is-here"), others = try (2..<40).map {
            EnrolledKey(keyIdentifier: [UInt8($0)], key: try SigningKey.generate().publicKey, use: .sign, subject: "who-is-elsewhere", audiences: ["tapstile:hq/lab"])
        }
        let here = EnrolledKey(keyIdentifier: [1], key: mine.key, use: .sign, subject: mine.subject, audiences: ["tapstile:hq/hall"])
        let office = try RepositoryOffice([.enrolled(here)] + others.prefix(30).map(PublicationRecord.enrolled))
        office.zones = Self.zones
        let store = try fixture.open()
        #expect(try office.apply(to: store).repository?.zones == Self.zones)
        office.publish(others.suffix(8).map(PublicationRecord.enrolled) + [try card(1, ["tapstile:hq/lab"], "who-is-elsewhere")])
        #expect(try office.change(store, from: 1).counts.ofPeople.total == 1)
        let files = try ["trust.db", "trust.recent.db"].flatMap { try fixture.folder.bytes($0) }
        let text = String(decoding: files, as: UTF8.self)
        #expect(text.contains("who-is-here") && !text.contains("who-is-elsewhere"))
        #expect(try store.answer(TrustQuestion(issuer: nil, revocations: [], enrolled: .thumbprint(mine.key.thumbprint))).enrolled.count == 1)
    }

    private func refusal(_ office: RepositoryOffice, _ store: TrustStore) throws -> ImportError? {
        try RepositoryOffice.refusal { try office.change(store, from: 1) }
    }

    /// What is missing cannot be made up for by changes.
    @Test func otherZonesNeedTheWhole() throws {
        let office = try RepositoryOffice([try card(1, ["tapstile:hq/lab"], "a"), try card(2, ["tapstile:hq/hall"], "b")])
        let store = try fixture.open()
        let number = try UIDOnlyCardNumber([1, 2, 3, 1])
        for zones in [["hall"], ["hall", "lab"], nil, ["hall"]] as [Set<String>?] {
            office.zones = zones
            try office.apply(to: store)
            #expect(try (store.answer(TrustQuestion(about: number)).card != nil) == (zones?.contains("lab") ?? true))
            for other in [["hall"], ["lab"], ["hall", "lab"], nil] as [Set<String>?] where other != zones {
                office.zones = other
                #expect(try RepositoryOffice.refusal { try office.change(store, withSite: true) } == .wholeNeeded)
            }
        }
    }

    @Test func changesThatSayNothingOfZonesNeedTheWhole() throws {
        let office = try RepositoryOffice([try card(1, ["tapstile:hq/hall"], "a")])
        let store = try fixture.open()
        office.zones = Self.zones
        try office.apply(to: store)
        office.publish([try card(2, ["tapstile:hq/hall"], "b")])
        office.forged = { _ in nil }
        #expect(try refusal(office, store) == .wholeNeeded)
        office.forged = nil
        #expect(try refusal(office, store) == nil)
    }

    @Test func whatAZoneComesToIsChecked() throws {
        let office = try RepositoryOffice([try card(1, ["tapstile:hq/hall"], "a"), try card(3, ["tapstile:hq/lab"], "c")])
        let store = try fixture.open()
        office.zones = Self.zones
        try office.apply(to: store)
        office.publish([try card(2, ["tapstile:hq/hall"], "b"), try card(4, ["tapstile:hq/lab"], "d")])
        for zone in ["hall", "-", ""] {
            office.forged = { $0.merging([zone: [UInt8](repeating: 7, count: 32)]) { _, forged in forged } }
            #expect(try refusal(office, store) == .bundle(.stateDiffers), "\(zone)")
        }
        // Nothing has changed there, it says.
        office.forged = { $0.filter { $0.key != "hall" } }
        #expect(try refusal(office, store) == .bundle(.stateDiffers))
        // About other zones this gate can say nothing.
        office.forged = { $0.merging(["lab": [UInt8](repeating: 7, count: 32)]) { _, forged in forged } }
        #expect(try refusal(office, store) == nil)
    }

    @Test func whoIsLeftOutHasNoOtherRoleEither() throws {
        let issuing = EnrolledKey(keyIdentifier: [1], key: fixture.issuer.key, use: .sign, subject: "eve", audiences: ["tapstile:hq/lab"])
        let office = try RepositoryOffice([.enrolled(issuing)], site: site())
        office.zones = Self.zones
        let store = try fixture.open()
        #expect(try RepositoryOffice.refusal { try office.apply(to: store) } == .publication(.keyOfTwoRoles(thumbprint: issuing.key.thumbprint)))
    }

    @Test func whatIsKeptOfZonesIsReadBack() throws {
        var sums = ZoneSums(site: "hq", zones: Self.zones)
        let record = try card(1, ["tapstile:hq/hall", "tapstile:hq/-"], "a")
        sums.add(record, StateElement(record))
        #expect(ZoneSums(site: "hq", encoded: sums.encoded) == sums)
        #expect(sums.keptZones == Self.zones)
        #expect(ZoneSums(site: "hq", encoded: Array(sums.encoded.dropLast())) == nil && ZoneSums(site: "hq", encoded: [0xA1, 1, 2]) == nil)
        sums.subtract(RecordKey(record), audiences: ["tapstile:hq/hall", "tapstile:hq/-"], StateElement(record))
        #expect(sums == ZoneSums(site: "hq", zones: Self.zones))
    }
}
