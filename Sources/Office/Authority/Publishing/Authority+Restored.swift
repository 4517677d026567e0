import Credentials
import Encoding
import SiteData
import SiteRules

/// After an old backup was restored the office knows less than its repository. To publish it would take back revocations, and nobody would have decided
/// that: so a person says which of the two counts.
extension Authority {
    /// Stops where the repository is ahead and says otherwise than the office; or brings the office up to it.
    /// - Returns: what differs, where somebody has said which of the two counts.
    @discardableResult
    func settle(_ choice: RestoredOffice.Choice?, _ place: RepositoryFolder, now: Int64) throws(AuthorityError) -> RestoredOffice? {
        guard !isSettled else { return nil }
        isForked = try forked(place) != nil
        if choice == nil { try refuseFork(place) }
        let lack = try lack(in: place), isOlder = try isOlder(than: place)
        let isRestored = isOlder || lack != nil
        if isRestored { try database.noticeRestoration(at: now) }
        if let lack { try overcome(lack, choice) }
        let differing = try decide(choice, place, now: now)
        if isRestored { try database.settleRestoration() }
        return differing
    }

    private func decide(_ choice: RestoredOffice.Choice?, _ place: RepositoryFolder, now: Int64) throws(AuthorityError) -> RestoredOffice? {
        // Where the office counts, nothing that is wrong with the repository is in its way.
        if choice == .office { return (try? rehearsedDifference(from: place, now: now))?.office }
        guard let found = try rehearsedDifference(from: place, now: now) else { return nil }
        guard choice == .repository else { throw .repository(.restored(found.office)) }
        try adoptRestored(found, place, now: now)
        return found.office
    }

    /// Nil where nothing differs.
    private func rehearsedDifference(from place: RepositoryFolder, now: Int64) throws(AuthorityError) -> Restored? {
        let found = try database.rehearsal { () throws(AuthorityError) in try difference(from: place, now: now) }
        return found?.office.isEmpty == false ? found : nil
    }

    /// What differs; nil if the repository is not ahead. Everything that is believed of it is signed by keys that the office knows.
    private func difference(from place: RepositoryFolder, now: Int64) throws(AuthorityError) -> Restored? {
        let adopted = try adopt(from: place, now: now)
        let newest = try newestSigned(.people, in: place)
        try refuseSpoiltPeople(place, newest?.version ?? 0)
        let isAhead = try newest?.version ?? 0 > signed(.people)?.version ?? 0 || isForked
        guard isAhead || adopted.contains(.targets) else { return nil }
        var restored = Restored()
        if adopted.contains(.targets) { try compareSite(&restored, now: now) }
        guard isAhead, let bytes = newest?.bytes, let people = MetadataFile.signed(in: bytes) else { return restored }
        let ceiling = SiteContents.ceiling(in: try database.siteData()?.bytes ?? [], site: site)
        restored.peopleVersion = SignedState(json: people[SignedState.member]).map { Int64(clamping: $0.version) }
        try compare(PublishedPeople(place, people, site: site, ceiling: ceiling), &restored)
        return restored
    }

    /// A state that was published once and that nobody can read any more may have taken people back. What was never published is a stranger's, and is named.
    private func refuseSpoiltPeople(_ place: RepositoryFolder, _ counted: Int64) throws(AuthorityError) {
        let version = try place.newestVersion(.people), published = try publishedNote()?.versions[.people] ?? .max
        guard version > max(counted, try signed(.people)?.version ?? 0), version <= published else { return }
        throw .repository(.metadata(path: place.metadataPath("\(version).people.json"), .field("signatures")))
    }

    /// Goes through both in the order of keys.
    private func compare(_ published: PublishedPeople, _ restored: inout Restored) throws(AuthorityError) {
        var told = try published.next()
        try forEachPerson { record throws(AuthorityError) in
            let key = RecordKey(record)
            while let ahead = told, ahead.key < key {
                try restored.note(nil, ahead.record, whose(ahead.record))
                told = try published.next()
            }
            let same = told?.key == key ? told?.record : nil
            if same != record { try restored.note(record, same, whose(record)) }
            if same != nil { told = try published.next() }
        }
        while let ahead = told {
            try restored.note(nil, ahead.record, whose(ahead.record))
            told = try published.next()
        }
    }

    /// What the site decided: of issuers it matters who is believed again, of all else that it is otherwise.
    private func compareSite(_ restored: inout Restored, now: Int64) throws(AuthorityError) {
        let here = try siteRecords(now: now), since = try signed(.targets)?.issued ?? 0
        guard let signed = try database.siteData(), let told = SiteContents.records(in: signed.bytes, site: site) else { return }
        restored.siteRecords = told
        for record in Set(here).subtracting(told).sorted(by: { RecordKey($0) < RecordKey($1) }) {
            // One that may say something else is no other one.
            if case .issuer(let issuer) = record, !told.contains(where: { $0.isIssuer(issuer) }) {
                // One that was made since is nobody's whom the site threw out.
                guard try database.tokenIssuers().contains(where: { $0.name.utf8.elementsEqual(issuer.name.utf8) && $0.madeAt < since }) else { continue }
                restored.issuers.append(issuer)
                restored.office.letIn.append("whoever has a token of \(Self.shown(record))")
            } else {
                restored.office.decisions.append("here only: \(Self.shown(record))")
            }
        }
        for record in Set(told).subtracting(here).sorted(by: { RecordKey($0) < RecordKey($1) }) {
            if case .issuer(let issuer) = record, try !database.tokenIssuers().contains(where: { $0.name.utf8.elementsEqual(issuer.name.utf8) }) {
                restored.issuersSince.append(issuer)
                restored.office.shutOut.append("whoever has a token of \(Self.shown(record))")
            } else if case .revocation(let revocation) = record {
                restored.office.letIn.append(try whose(.revocation(revocation)) + ", whom the rules take back")
            } else {
                restored.office.decisions.append("published only: \(Self.shown(record))")
            }
        }
    }

    private static func shown(_ record: PublicationRecord) -> String { (record.shownLines ?? []).joined(separator: "; ") }

    /// A record of a person in words, with the person's name if the office knows it.
    private func whose(_ record: PublicationRecord) throws(AuthorityError) -> String {
        switch record {
        case .enrolled(let key): "'\(key.subject)' with the key \(Hex.encode(key.key.thumbprint.prefix(8)))"
        case .uidOnlyCard(let card): "'\(card.subject)' with the card \(Hex.encode(card.number.bytes))"
        case .rule(.membership(let membership)): "'\(membership.subject)' in the group '\(membership.group)'"
        case .revocation(.subject(let subject)): "'\(subject)' (banned)"
        case .revocation(.suspended(let subject)): "'\(subject)' (suspended)"
        case .revocation(.key(let thumbprint)):
            try database.owners(ofKey: thumbprint) + " with the key \(Hex.encode(thumbprint.prefix(8))) (taken back)"
        case .revocation(.token(let identifier)): "whoever has the token \(identifier) (taken back)"
        case .revocation(.issuer(let issuer)): "whoever has a token of '\(issuer)' (switched off)"
        case .revocation(.issued(let issuer, let cti)): "whoever has the token \(Hex.encode(cti)) of '\(issuer)' (taken back)"
        case .issuer, .gateCredential, .rule, .ceiling, .message: Self.shown(record)
        }
    }
}

/// What differs, and what it would take to bring the office up to the repository.
struct Restored {
    var office = RestoredOffice()
    /// Records of people, each as the office has it and as it was published; nil where it is not there.
    private(set) var people: [(here: PublicationRecord?, published: PublicationRecord?)] = []
    /// The state of people in the repository, if it is ahead.
    var peopleVersion: Int64?
    /// What targets signed, if it is newer than what the office has.
    var siteRecords: [PublicationRecord]?
    /// Issuers that were believed once and are no more.
    var issuers: [TokenIssuer] = []
    /// Issuers that were made since, and are believed.
    var issuersSince: [TokenIssuer] = []

    mutating func note(_ here: PublicationRecord?, _ published: PublicationRecord?, _ words: String) {
        people.append((here, published))
        if here != nil, published != nil { return office.letIn.append("\(words), whose rights differ") }
        // A revocation that is here only, and a right that was published only, keep somebody out.
        if (here ?? published).isRevocation == (here != nil) { office.shutOut.append(words) } else { office.letIn.append(words) }
    }
}

extension PublicationRecord {
    /// Whether it is that issuer, whatever it may say.
    fileprivate func isIssuer(_ issuer: TokenIssuer) -> Bool {
        if case .issuer(let own) = self { own.name.utf8.elementsEqual(issuer.name.utf8) && own.key == issuer.key } else { false }
    }
}

extension PublicationRecord? {
    fileprivate var isRevocation: Bool { if case .revocation? = self { true } else { false } }
}

extension AuthorityDatabase {
    /// Whose a key is or was, in words.
    fileprivate func owners(ofKey thumbprint: [UInt8]) throws(AuthorityError) -> String {
        let query = try prepare("SELECT subject FROM enrolled WHERE thumbprint = ?1 UNION SELECT subject FROM token WHERE thumbprint = ?1")
        query.bind(thumbprint, at: 1)
        defer { query.reset() }
        var names: [String] = []
        while try query.next() { names.append("'\(query.text(0))'") }
        return names.isEmpty ? "somebody of whom the office knows nothing" : names.joined(separator: " and ")
    }
}
