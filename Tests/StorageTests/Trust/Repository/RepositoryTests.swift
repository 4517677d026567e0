import Credentials
import Cryptography
import SeededNumbers
import SiteData
import SiteRules
import Testing

@testable import Storage

/// Site data from bundles: whole, and changed piece by piece.
@Suite struct RepositoryTests {
    let fixture: TrustFixture
    init() throws { fixture = try TrustFixture() }

    /// Every kind of people's records, several forms of some, to be put and taken away at random.
    private func pool() throws -> [PublicationRecord] {
        let keys = try (0..<5).map { _ in try SigningKey.generate().publicKey }
        let enrolled = keys.enumerated().flatMap { number, key in
            // Two of them share their kid.
            ["alice", "bob"].map { PublicationRecord.enrolled(EnrolledKey(
                keyIdentifier: [UInt8(number / 2)], key: key, use: .sign, subject: $0, expiresAt: 5, userVerification: number == 1)) }
        }
        let agreeing = PublicationRecord.enrolled(EnrolledKey(
            keyIdentifier: [9], key: try AgreementKey.generate(.x25519).publicKey, use: .agree, subject: "bob", scope: ["hold"], notBefore: 3))
        let revoked: [Revocation] = [.subject("alice"), .suspended("bob"), .key(thumbprint: keys[0].thumbprint), .issued(issuer: "i", cti: [1])]
        let members = ["a", "b"].flatMap { group in ["alice", "bob"].map { PublicationRecord.rule(.membership(Membership(group: group, subject: $0))) } }
        let cards = try ["alice", "bob"].map { PublicationRecord.uidOnlyCard(UIDOnlyCard(number: try UIDOnlyCardNumber([1, 2, 3, 4]), subject: $0)) }
        return enrolled + [agreeing] + revoked.map(PublicationRecord.revocation) + members + cards
    }

    /// Everything one can ask about that pool.
    private func answers(_ store: TrustStore, _ pool: [PublicationRecord]) throws -> [[String]] {
        let number = try UIDOnlyCardNumber([1, 2, 3, 4])
        var questions = (0..<10).map { TrustFixture.question(kid: [$0]) } + [TrustQuestion(about: number)]
        for subject in ["alice", "bob"] { questions.append(TrustQuestion(issuer: "issuer-1", revocations: [], subject: subject, enrolled: .none)) }
        for record in pool {
            if case .enrolled(let key) = record {
                questions.append(TrustQuestion(issuer: nil, revocations: [], enrolled: .thumbprint(key.key.thumbprint)))
            }
            if case .revocation(let revocation) = record { questions.append(TrustFixture.question([revocation])) }
        }
        return try questions.map { question in
            let answer = try store.answer(question)
            let keys = answer.enrolled.map { "\($0.key) \($0.isRevoked) \($0.groups.sorted()) \($0.thumbprint)" }.sorted()
            let card = answer.card.map { "\($0.card) \($0.isRevoked) \($0.groups.sorted())" } ?? "no card"
            return keys + [card, "\(answer.isRevoked) \(answer.groups.sorted()) \(answer.issuer == nil)"]
        }
    }

    private func site() -> [PublicationRecord] {
        [.issuer(fixture.issuer), .rule(.access(AccessRule(group: "a"))), .ceiling(RepositoryOffice.ceiling)]
    }

    @Test func aWholeStateAnswers() throws {
        let store = try fixture.open(), key = try fixture.enrolled(1)
        let office = try RepositoryOffice([.enrolled(key), .revocation(.suspended("person-1"))], site: site())
        let applied = try office.apply(to: store)
        #expect(applied.origin == .repository && applied.version == 1 && applied.generation == 1)
        #expect(applied.repository?.epoch == 1 && applied.repository?.ceiling == RepositoryOffice.ceiling)
        #expect(applied.bodyHash == office.state.digest)
        #expect(try store.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.isRevoked) == [true])
        store.close()
        let again = try fixture.open()
        #expect(again.status.publication == applied)
        #expect(fixture.folder.names == ["trust.db", "trust.floor"])
    }

    /// Whatever way a gate comes to a state, it answers like one that took the state whole.
    @Test(arguments: UInt64(0)..<6) func changesLeadToWhatTheWholeSays(_ seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let pool = try pool(), store = try fixture.open()
        let office = try RepositoryOffice(Array(pool.prefix(6)), site: site())
        try office.apply(to: store)
        var have = office.version
        for round in 0..<14 {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let some = pool.shuffled(using: &random).prefix(4)
                let gone = some.prefix(Int.random(in: 0...3, using: &random)).map { RecordKey($0) }
                office.publish(some.filter { !gone.contains(RecordKey($0)) }, gone: gone)
            }
            // A gate may have missed some versions, or get more than it has missed.
            let from = UInt64.random(in: 1...have, using: &random)
            #expect(try office.change(store, from: from).version == office.version)
            have = office.version
            let fresh = try TrustFixture(), other = try fresh.open()
            try office.apply(to: other)
            #expect(try answers(store, pool) == answers(other, pool), "round \(round)")
            #expect(store.status.publication?.counts == other.status.publication?.counts)
            if round % 5 == 4 {
                store.close()
                let again = try fixture.open()
                #expect(try answers(again, pool) == answers(other, pool), "opened again in round \(round)")
                again.close()
                return try goOn(fixture, office, pool, &random)
            }
        }
    }

    private func goOn(_ fixture: TrustFixture, _ office: RepositoryOffice, _ pool: [PublicationRecord], _ random: inout SeededNumbers) throws {
        let store = try fixture.open(), have = office.version
        office.publish(Array(pool.shuffled(using: &random).prefix(5)))
        try office.change(store, from: have)
        let fresh = try TrustFixture(), other = try fresh.open()
        try office.apply(to: other)
        #expect(try answers(store, pool) == answers(other, pool))
        // The whole takes the place of both files.
        office.publish(Array(pool.shuffled(using: &random).prefix(5)))
        try office.apply(to: store)
        #expect(fixture.folder.names == ["trust.db", "trust.floor"])
    }

    /// An older whole and the changes since are one state, and nothing between is ever in use.
    @Test func theWholeAndWhatHasChangedSince() throws {
        let pool = try pool(), store = try fixture.open()
        let office = try RepositoryOffice(Array(pool.prefix(9)), site: site())
        office.skip(to: 4)
        let whole = try office.full()
        office.publish(Array(pool.suffix(8)), gone: pool.prefix(3).map { RecordKey($0) })
        office.publish([pool[4]])
        let applied = try office.apply(full: whole, changes: office.changes(from: 4), to: store)
        #expect(applied.version == 6 && applied.bodyHash == office.state.digest)
        let fresh = try TrustFixture(), other = try fresh.open()
        try office.apply(to: other)
        #expect(try answers(store, pool) == answers(other, pool))
        // Alone it is older than what this gate has had.
        #expect(try RepositoryOffice.refusal { try office.apply(full: whole, to: store) } == .bundle(.rollback(have: 6, given: 4)))
    }

    @Test func aStateThatIsNotTheSignedOneIsRefused() throws {
        let pool = try pool(), store = try fixture.open()
        let office = try RepositoryOffice(Array(pool.prefix(6)), site: site())
        try office.apply(to: store)
        let before = try answers(store, pool)
        // The office forgets one change: its header tells the state with it.
        office.publish([pool[8], pool[9]])
        let other = try RepositoryOffice(Array(pool.prefix(6)), site: site())
        other.publish([pool[8]])
        let file = try other.changes(from: 1)
        #expect(try RepositoryOffice.refusal { try office.change(store, changes: file) } == .bundle(.wrongState))
        let known = office.people
        office.people[RecordKey(pool[9])] = nil
        let lacking = try RepositoryOffice.refusal { try office.change(store, changes: office.changes(from: 1)) }
        #expect(lacking == .bundle(.stateDiffers))
        office.people = known
        #expect(try answers(store, pool) == before)
        #expect(fixture.folder.names == ["trust.db", "trust.floor"])
        try office.change(store, from: 1)
    }

    /// A row that the disk altered shows when it is changed.
    @Test func aDamagedRowIsFound() throws {
        let store = try fixture.open(), keys = try (0..<3).map { try fixture.enrolled($0) }
        let office = try RepositoryOffice(keys.map(PublicationRecord.enrolled), site: site())
        try office.apply(to: store)
        store.close()
        let other = try SQLiteConnection(path: fixture.folder.path("trust.db"), access: .readWrite, cacheKibibytes: 64)
        try other.execute("UPDATE enrolled SET subject = 'person-X' WHERE subject = 'person-1'")
        let again = try fixture.open()
        office.publish(gone: [RecordKey(enrolled: keys[0].key.thumbprint)])
        try office.change(again, from: 1)
        office.publish(gone: [RecordKey(enrolled: keys[1].key.thumbprint)])
        #expect(try RepositoryOffice.refusal { try office.change(again, from: 2) } == .bundle(.stateDiffers))
        try office.apply(to: again)
        #expect(again.status.publication?.version == 3)
    }

    @Test func noWayBack() throws {
        let pool = try pool(), store = try fixture.open()
        let office = try RepositoryOffice(Array(pool.prefix(6)), site: site())
        office.skip(to: 9)
        office.epoch = 2
        try office.apply(to: store)
        let old = try RepositoryOffice(Array(pool.prefix(6)), site: site())
        old.epoch = 2
        old.skip(to: 8)
        #expect(try RepositoryOffice.refusal { try old.apply(to: store) } == .bundle(.rollback(have: 9, given: 8)))
        #expect(try RepositoryOffice.refusal { try old.change(store, from: 7) } == .bundle(.rollback(have: 9, given: 8)))
        old.epoch = 1
        old.skip(to: 100)
        #expect(try RepositoryOffice.refusal { try old.apply(to: store) } == .bundle(.rollback(have: 9, given: 100)))
        // The file is lost, and what it was is not.
        store.close()
        try fixture.folder.write([], to: "trust.db")
        let again = try fixture.open()
        #expect(try RepositoryOffice.refusal { try old.apply(to: again) }?.code == "bundle-rollback")
        // A new epoch counts anew.
        let next = try RepositoryOffice(Array(pool.prefix(6)), site: site())
        next.epoch = 3
        #expect(try next.apply(to: again).version == 1)
    }

    /// A thief of targets declares the last epoch that there is. What he declared means nothing once root has replaced his keys.
    @Test func epochsBeginAnewWithTheKeysThatDeclareThem() throws {
        func keys(_ number: UInt8) throws -> KeyMark { try #require(KeyMark([.bytes([UInt8](repeating: number, count: 8))])) }
        let store = try fixture.open(), office = try RepositoryOffice(site: site())
        office.keys = try keys(1)
        office.epoch = UInt64(Int64.max)
        try office.apply(to: store)
        office.epoch = 2
        #expect(try RepositoryOffice.refusal { try office.apply(to: store) }?.code == "bundle-rollback")
        office.keys = try #require(KeyMark(keys(1).keys.map { .bytes($0) } + keys(2).keys.map { .bytes($0) }))
        #expect(try RepositoryOffice.refusal { try office.apply(to: store) }?.code == "bundle-rollback", "a key beside it takes nothing away")
        office.keys = try keys(2)
        #expect(try office.apply(to: store).repository?.epoch == 2)
        store.close()
        let again = try fixture.open()
        #expect(again.status.publication?.repository?.epoch == 2)
        office.epoch = 1
        #expect(try RepositoryOffice.refusal { try office.apply(to: again) }?.code == "bundle-rollback")
    }

    @Test func whereTheWholeIsNeeded() throws {
        let store = try fixture.open(), key = try fixture.enrolled(1)
        let office = try RepositoryOffice([.enrolled(key)], site: site())
        office.publish()
        #expect(try RepositoryOffice.refusal { try office.change(store, from: 1) } == .wholeNeeded)
        _ = try store.apply(siteFile: [.enrolled(key)], site: "hq", clock: fixture.clock)
        #expect(try RepositoryOffice.refusal { try office.change(store, from: 1) } == .wholeNeeded)
        try office.apply(to: store)
        let newCeiling = try RepositoryOffice([.enrolled(key)], site: [.ceiling(.standard)])
        newCeiling.publish([.revocation(.subject("x"))])
        #expect(try RepositoryOffice.refusal { try newCeiling.change(store, from: 1, withSite: true) } == .wholeNeeded)
        // Another site's part is told by its hash, and must come along.
        #expect(try RepositoryOffice.refusal { try newCeiling.change(store, from: 1) } == .wholeNeeded)
        newCeiling.epoch = 2
        #expect(try RepositoryOffice.refusal { try newCeiling.change(store, from: 1) } == .wholeNeeded)
    }

    @Test func tooManyChangesNeedTheWhole() throws {
        let store = try fixture.open()
        let office = try RepositoryOffice([.revocation(.subject("a"))], site: site())
        try office.apply(to: store)
        office.publish((0..<TrustStore.mostChanges.rows).map { .revocation(.subject("person-\($0)")) })
        try office.change(store, from: 1)
        office.publish([.revocation(.subject("b"))])
        #expect(try RepositoryOffice.refusal { try office.change(store, from: 2) } == .wholeNeeded)
        #expect(store.status.publication?.version == 2)
    }
}
