/// What waits for the disk, in order. A pure state machine: callers append, the writer takes batches and
/// tells how they went. Sequence numbers are given here, so an outcome can name an attempt that is still
/// on its way; nothing that has a number ever leaves the queue but to the disk.
struct JournalQueue {
    struct Waiting: Sendable {
        let work: JournalWork
        let ticket: JournalTicket?
    }

    static let closed = StorageError(.closed, "The journal has been closed.")
    /// The most records of one commit.
    static let batch = 512
    /// A commit ends after the record that has passed this many changes of the state: nobody's attempt waits for more.
    static let effectsOfBatch = 512
    /// The most attempts without outcome; a gate has as many at a time as readers.
    static let mostOpenAttempts = 256
    private static let firstPause: Int64 = 20
    private static let longestPause: Int64 = 1000

    private(set) var waiting: [Waiting] = []
    private(set) var durable: JournalChain
    private(set) var failure: StorageError?
    private(set) var lost = 0
    private(set) var isClosing = false
    /// The newest file set aside since the start.
    private(set) var setAside: JournalSetAside?
    /// Someone who read the file found it damaged.
    private(set) var suspicion: StorageError?
    private var next: JournalHeads
    /// Attempts taken in this run whose outcome has not been.
    private var open: [UInt64: JournalEntry] = [:]
    private var windows: FailureWindows
    private let settings: JournalSettings
    private var untoldLost = 0
    /// Something came after the last failed try, or the end has: try at once.
    private var isFresh = false
    /// Monotonic milliseconds before which a failed try is not repeated, and the pause that led there.
    private var retry: (at: Int64, pause: Int64) = (0, 0)

    init(durable: JournalChain, settings: JournalSettings) {
        self.durable = durable
        self.settings = settings
        next = durable.heads
        windows = FailureWindows(length: settings.failureWindowMilliseconds)
    }

    // The callers' side --------------------------------------------------------------------------

    mutating func append(_ entry: JournalEntry) -> JournalTicket {
        if let refusal = refusal(of: entry) {
            let ticket = JournalTicket(sequence: 0, partition: entry.partition)
            ticket.settle(.refused(refusal))
            return ticket
        }
        return accept(entry)
    }

    /// Puts a record in line, or counts it if it is a failure that others like it precede.
    @discardableResult
    private mutating func accept(_ entry: JournalEntry) -> JournalTicket {
        closeWindows(at: entry.time.monotonicMilliseconds)
        isFresh = true
        if let attempt = entry.attempt, entry.kind == .outcome { open[attempt] = nil }
        // What changes the state is written, however often the like of it has happened.
        if entry.kind == .outcome, !entry.isProven, entry.effects.isEmpty {
            let key = FailureWindows.Key(lane: entry.lane ?? "", reason: entry.reason ?? "",
                                         assurance: entry.detail[JournalEntry.assuranceDetail]?.text)
            if case .count(let key) = windows.receive(key, at: entry.time) { return count(entry, key) }
        }
        let ticket = enqueue(entry, window: nil)
        if entry.kind == .attempt { opened(entry, ticket.sequence) }
        return ticket
    }

    /// Should outcomes not come, the oldest attempt is closed without: whoever taps must not fill memory.
    private mutating func opened(_ attempt: JournalEntry, _ sequence: UInt64) {
        open[sequence] = attempt
        guard open.count > Self.mostOpenAttempts, let oldest = open.keys.min(), let forgotten = open[oldest] else { return }
        accept(JournalEntry(closing: forgotten, sequence: oldest, at: attempt.time, isProven: false))
    }

    /// Closes the attempts that an earlier run left open. The records of one reader go to the disk in order,
    /// so only its newest attempt can have been on its way when the power went: that one may have been a
    /// grant, and its outcome goes to the main chain. The others are whatever strangers left, and counted.
    mutating func close(left attempts: [(sequence: UInt64, entry: JournalEntry)], at time: JournalTime) {
        var readers: Set<[String?]> = []
        let newestFirst = attempts.sorted { $0.sequence > $1.sequence }
        let isNewest = newestFirst.map { readers.insert([$0.entry.lane, $0.entry.reader]).inserted }
        for (attempt, isNewest) in zip(newestFirst, isNewest).reversed() {
            accept(JournalEntry(closing: attempt.entry, sequence: attempt.sequence, at: time, isProven: isNewest))
        }
    }

    private mutating func refusal(of entry: JournalEntry) -> StorageError? {
        if isClosing { return Self.closed }
        if entry.approximateLength > JournalBody.maximumLength / 2 {
            return StorageError(.entryTooLarge, "A record may have \(JournalBody.maximumLength / 2) bytes.")
        }
        guard waiting.count < settings.maximumWaiting else {
            lost += 1
            untoldLost += 1
            return StorageError(.queueFull, "\(waiting.count) records wait for the disk already.")
        }
        return nil
    }

    private mutating func count(_ entry: JournalEntry, _ key: FailureWindows.Key) -> JournalTicket {
        let ticket = JournalTicket(sequence: entry.attempt ?? 0, partition: .unproven)
        waiting.append(Waiting(work: .count(key, attempt: entry.attempt, entry.time), ticket: ticket))
        return ticket
    }

    @discardableResult
    mutating func enqueue(_ entry: JournalEntry, window: FailureWindows.Key?) -> JournalTicket {
        let partition = entry.partition
        let sequence = next[partition].sequence + 1
        // Only the number counts here; the hash is the writer's.
        next[partition] = JournalHead(sequence: sequence, hash: [])
        let ticket = JournalTicket(sequence: sequence, partition: partition)
        waiting.append(Waiting(work: .record(partition, sequence: sequence, entry, window: window), ticket: ticket))
        isFresh = true
        return ticket
    }

    /// A damaged file was set aside: the record of it is the first of the new file or waits for it.
    mutating func report(_ aside: JournalSetAside, at time: JournalTime) {
        setAside = aside
        enqueue(JournalEntry(aside, at: time), window: nil)
    }

    /// Ends the windows whose time has come, all if `now` is nil.
    mutating func closeWindows(at now: Int64?) {
        for counted in windows.close(at: now) { enqueue(JournalEntry(counted), window: counted.key) }
    }

    mutating func close() {
        guard !isClosing else { return }
        closeWindows(at: nil)
        isClosing = true
        isFresh = true
    }

    /// The number of the newest record that has one.
    func numbered(_ partition: JournalPartition) -> UInt64 { next[partition].sequence }

    /// How far the chains reach on the disk.
    var reach: JournalReach { durable.reach(settings) }

    // The writer's side --------------------------------------------------------------------------

    /// The next records to write, nil if none are or none may be tried yet.
    func nextBatch(now: Int64) -> [Waiting]? {
        guard !waiting.isEmpty, failure == nil || isFresh || retry.at <= now else { return nil }
        var effects = 0
        return Array(waiting.prefix(Self.batch).prefix { waiting in
            defer { effects += waiting.work.effects }
            return effects <= Self.effectsOfBatch
        })
    }

    /// Whether the writer's work is over: closed, and nothing left or the last try has failed.
    var isOver: Bool { isClosing && (waiting.isEmpty || (failure != nil && !isFresh)) }

    /// The promise of the newest record that is on its way; nil if all are on the disk. Records go there in order.
    var newest: JournalTicket? { waiting.last { $0.ticket != nil }?.ticket }

    /// When a failed try is to be repeated, in monotonic milliseconds.
    var nextRetry: Int64? { waiting.isEmpty ? nil : retry.at }

    /// When the next window ends, in milliseconds of the callers' monotonic clock.
    var nextWindowEnd: Int64? { windows.nextEnd }

    /// The writer takes what has come so far; what comes later is fresh again.
    mutating func beginTry() { isFresh = false }

    /// The first `count` are on the disk. Answers how many records were refused meanwhile, to be told.
    mutating func succeeded(_ count: Int, chain: JournalChain) -> Int {
        waiting.removeFirst(count)
        durable = chain
        failure = nil
        retry = (0, 0)
        defer { untoldLost = 0 }
        return untoldLost
    }

    /// The file is to be set aside before anything else is written to it.
    mutating func suspect(_ error: StorageError) { suspicion = error }

    mutating func clearSuspicion() { suspicion = nil }

    mutating func failed(_ error: StorageError, now: Int64) {
        failure = error
        let pause = min(max(retry.pause * 2, Self.firstPause), Self.longestPause)
        retry = (now + pause, pause)
    }

    var status: JournalStatus {
        JournalStatus(
            head: durable.main.head, unprovenHead: durable.unproven.head,
            firstSequence: durable.main.anchor.sequence + 1, waiting: waiting.count, failure: failure, lost: lost,
            setAside: setAside, collection: durable.collection, uncollected: durable.uncollected,
            collectionState: settings.collectionState(of: durable))
    }
}
