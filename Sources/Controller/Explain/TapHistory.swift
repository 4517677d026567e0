import ControlProtocol
import Credentials
import Encoding
import Storage

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
