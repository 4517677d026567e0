import Configuration
import ControlProtocol
import Credentials
import Encoding
import Gate
import Readers
import Service
import SiteRules
import Storage
import Tap
import Threads

/// What `explain` answers.
struct ExplainReport {
    let query: ExplainQuery
    let finding: PersonFinding
    let layout: GateLayout
    let parts: GateParts
    /// The readers and radios that are asked about.
    let stations: [TapStation]
    /// Why a reader serves nobody at this moment; nil: it does, or none is looked for.
    let readerOutage: @Sendable (ReaderName) -> (code: String, message: String)?
    /// The radios at this moment; nil where there are none.
    let desks: RadioDesks?

    /// So many answers are in one message, which has a bound in bytes.
    private static let mostAnswers = 48

    /// The report as JSON.
    var json: JSON {
        let now = parts.clock.now(), hours = parts.hours.current
        var left = Self.mostAnswers
        var credentials: [JSON] = []
        for found in finding.found {
            let shown = stations.filter { found.credential.canBeShown(at: $0) }.prefix(left)
            left -= shown.count
            let context = ExplainContext(parts: parts, layout: layout, hours: hours, revoked: found.revoked, readerOutage: readerOutage, desks: desks)
            let answers = shown.map { explain(found.credential, at: $0, now, context) }
            credentials.append(json(found, answers))
        }
        var fields: JSONObject = [
            "time": .string(UTCText.make(milliseconds: query.at.map { $0 * 1000 } ?? now.milliseconds)), "clock": .string(now.trust.word),
            "known": .bool(finding.isKnown), "taps": TapHistory(query, in: parts.journal).json, "credentials": .array(credentials), "notes": .array(notes(isFull: left == 0).map(\.json))]
        if case .subject(let subject) = query.who {
            fields["subject"] = .string(subject)
            fields["groups"] = .array(finding.groups.map { .string($0) })
            fields["inside"] = .array(inside(subject))
        }
        if let zone = hours.timetable.timeZone, let name = hours.timetable.rules.timeZone {
            fields["siteTime"] = .string(SiteTimetable.clock(zone, at: query.at ?? now.seconds))
            fields["timeZone"] = .string(name.text)
        }
        fields["revoked"] = .array(finding.revoked.map { RevokedReport(revoked: $0).json })
        fields["nearest"] = finding.nearest.map { .string($0) }
        if let publication = parts.trust.status.publication { fields["siteData"] = json(publication) }
        return .object(fields)
    }

    private func explain(_ credential: AskedCredential, at station: TapStation, _ now: WallTime, _ context: ExplainContext) -> JSON {
        let foresight = Foresight(station, credential, command: query.command, isJournalFailing: parts.journal.status.failure != nil)
        // Both clocks are read together: one is told by the other.
        let outlook = LaneOutlook(now: now, instant: Instant(milliseconds: MonotonicTime.milliseconds), lane: station.lane.ask { $0 },
                                  name: station.lane.name, timetable: context.hours.timetable)
        return Explanation(foresight, outlook, at: query.at, context).json
    }

    private func json(_ found: PersonFinding.Found, _ answers: [JSON]) -> JSON {
        let credential = found.credential
        var fields: JSONObject = [
            "kind": .string(credential.kind), "subject": .string(credential.subject), "answers": .array(answers),
            "revoked": .array(found.revoked.map { RevokedReport(revoked: $0).json })]
        fields["identifier"] = credential.identifier.map { .string(Hex.encode($0)) }
        guard credential.identifier != nil else { return .object(fields) }
        fields["audiences"] = .array(credential.audiences.map { .string($0) })
        fields["scope"] = .array(credential.scope.map { .string($0) })
        fields["notBefore"] = credential.validity.from.map { .string(UTCText.make(seconds: $0)) }
        fields["expires"] = credential.validity.to.map { .string(UTCText.make(seconds: $0)) }
        return .object(fields)
    }

    private func notes(isFull: Bool) -> [ExplainNote] {
        finding.notes + (isFull && !finding.notes.contains(.more) ? [.more] : []) + (query.at == nil ? [] : [.otherTime])
    }

    private func inside(_ subject: String) -> [JSON] {
        parts.state.passback.people(PersonDigest(subject: subject), zone: nil).map {
            ["zone": .string($0.zone), "since": .string(UTCText.make(milliseconds: $0.since)), "sure": .bool($0.isSure)]
        }
    }

    private func json(_ publication: TrustPublication) -> JSON {
        ["origin": .string(publication.origin.word), "version": .integer(Int64(clamping: publication.version)),
         "issued": .string(UTCText.make(seconds: parts.age.issued(publication)))]
    }
}

extension AskedCredential {
    /// Whether it is anything to that reader or radio: a card has no radio.
    fileprivate func canBeShown(at station: TapStation) -> Bool {
        switch self {
        case .key, .token, .unseenToken: true
        case .card: station.offer.context.carrier == .nfc
        }
    }
}

/// What became of somebody's latest taps, as the journal has it: what a gate has forgotten since, as a token that it refused, is there.
struct TapHistory {
    /// So many of the newest records are looked through, a page at a time.
    private static let reach: UInt64 = 2000
    private static let page = 500
    /// So many taps are told, the newest first.
    private static let most = 3

    private var taps: [JournalEntry] = []

    /// A journal that cannot be read tells nothing; `status` says why.
    init(_ query: ExplainQuery, in journal: Journal) {
        let end = journal.status.head.sequence
        var next = end > Self.reach ? end - Self.reach + 1 : 1
        let filter = JournalFilter(lane: query.lane, kind: JournalKind.outcome.rawValue)
        while let records = try? journal.read(from: next, limit: Self.page, filter: filter), let last = records.last {
            taps = (taps + records.map(\.entry).filter { query.who.names($0) }).suffix(Self.most)
            guard records.count == Self.page else { break }
            next = last.sequence + 1
        }
    }

    /// The newest first.
    var json: JSON {
        .array(taps.reversed().map { tap in
            var fields: JSONObject = ["time": .string(UTCText.make(milliseconds: tap.time.wallMilliseconds)), "reason": .string(tap.reason ?? "")]
            fields["lane"] = tap.lane.map { .string($0) }
            fields["reader"] = tap.reader.map { .string($0) }
            fields["credential"] = tap.credential.map { .string(Hex.encode($0)) }
            fields["sentence"] = tap.reason.flatMap(Reason.init(rawValue:)).map { .string($0.sentence) }
            return .object(fields)
        })
    }
}

extension ExplainQuery.Who {
    /// Whether a record is about whoever is asked about.
    fileprivate func names(_ entry: JournalEntry) -> Bool {
        switch self {
        case .subject(let subject): entry.subject.map { $0.utf8.elementsEqual(subject.utf8) } ?? false
        case .key(let key): entry.credential?.starts(with: key) ?? false
        }
    }
}
