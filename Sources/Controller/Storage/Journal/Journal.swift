import Encoding
import Threads

/// The durable audit: `journal.db` with one writer thread and group commit. See docs/architecture.md,
/// "Durability of the audit".
///
/// A presentation appends an attempt, waits for its ticket before the relay may move, then appends the
/// outcome with `attempt` set to the attempt's `sequence` and waits for it at most `audit.wait`. The lane
/// makes no further grant until that ticket `isDurable`. A record whose ticket has `failed` stays in the
/// queue and becomes durable when the condition ends; only one that was `refused` is not kept.
public final class Journal: Sendable {
    private let queue: Monitor<JournalQueue>
    private let reader: Monitor<JournalReader?>
    private let opening: JournalOpening
    private let watch: JournalWatch
    private let keeper: CheckpointKeeper?
    private let thread: Worker
    private let onIncident: @Sendable (JournalIncident) -> Void
    /// How the journal was closed. Whoever closes it also waits for another who does.
    private let closing = Monitor<JournalClosing?>(nil)

    /// Opens or creates the journal in `directory`, which must exist.
    /// - Parameters:
    ///   - boot: what tells this boot from others, at most 64 bytes (16 from
    ///     /proc/sys/kernel/random/boot_id).
    ///   - time: the composition root's clock; asked for the records the journal writes of itself. It must
    ///     not call the journal.
    ///   - loops: those that the journal's threads belong to.
    ///   - checkpoint: signs how far the chains reach and makes a record of it; called on a thread of the journal's own,
    ///     and on its writer at the end. It must not call the journal. Without it nothing is signed.
    ///   - onIncident: told on the journal's threads, one after the other, what must be said loudly; it must
    ///     not wait.
    /// - Throws: `newer-schema` with the file untouched, `storage-in-use`, or what may pass: disk full,
    ///   read-only, locked, no access. Damage does not throw: it is set aside and told in the recovery.
    public static func open(
        directory: String, boot: [UInt8], settings: JournalSettings = JournalSettings(), loops: Loops = Loops(),
        time: @escaping @Sendable () -> JournalTime, checkpoint: (@Sendable (JournalReach) -> JournalEntry?)? = nil,
        onIncident: @escaping @Sendable (JournalIncident) -> Void = { _ in }
    ) throws(StorageError) -> (journal: Journal, recovery: JournalRecovery) {
        try open(
            directory: directory, boot: boot, settings: settings, fileSystem: nil, loops: loops, time: time,
            checkpoint: checkpoint, onIncident: onIncident)
    }

    static func open(
        directory: String, boot: [UInt8], settings: JournalSettings, fileSystem: String?,
        loops: Loops = Loops(), time: @escaping @Sendable () -> JournalTime,
        checkpoint: (@Sendable (JournalReach) -> JournalEntry?)? = nil, onIncident: @escaping @Sendable (JournalIncident) -> Void
    ) throws(StorageError) -> (journal: Journal, recovery: JournalRecovery) {
        let folder = StorageFolder(path: directory)
        let heads = try SlotFile(path: folder.path(of: "journal.head"))
        try heads.lock()
        let opening = JournalOpening(
            folder: folder, settings: settings, fileSystem: fileSystem,
            onUpgrade: { onIncident(.upgrading(fromSchema: $0)) })
        let opened = try opening.open(known: try heads.newest().flatMap { JournalHeads($0) })
        var unstarted = JournalQueue(durable: opened.chain, settings: settings)
        try recover(opened, into: &unstarted, at: time())
        let queue = Monitor(unstarted)
        let schedule = CheckpointSchedule(
            records: settings.checkpointRecords, period: settings.checkpointMilliseconds, reach: opened.chain.reach(settings),
            endsWithCheckpoint: try opened.file.endsWithCheckpoint() && !settings.letsGo(of: opened.chain))
        let logMover = try LogMover(
            folder: folder, lockWait: settings.lockWaitMilliseconds, fileSystem: fileSystem, loops: loops)
        let recovery = opened.recovery
        do throws(StorageError) {
            let watch = try JournalWatch(limit: settings.slowMilliseconds, loops: loops) { onIncident(.failing($0)) }
            let keeper = try checkpoint.map { (sign) throws(StorageError) in
                try CheckpointKeeper(schedule, queue: queue, loops: loops, sign: sign)
            }
            let surroundings = JournalWriter.Surroundings(
                boot: boot, settings: settings, opening: opening, queue: queue, reader: Monitor(nil),
                heads: heads, logMover: logMover, watch: watch, keeper: keeper, loops: loops, time: time, onIncident: onIncident)
            return (try Journal(JournalWriter(opened, around: surroundings), around: surroundings), recovery)
        } catch {
            logMover.stop()
            throw error
        }
    }

    /// What opening found becomes records, the first of this run.
    private static func recover(
        _ opened: JournalOpening.Opened, into queue: inout JournalQueue, at time: JournalTime
    ) throws(StorageError) {
        if let aside = opened.recovery.setAside { queue.report(aside, at: time) }
        if let schema = opened.recovery.upgradedFrom {
            queue.enqueue(JournalEntry(upgradedFrom: schema, at: time), window: nil)
        }
        if let head = opened.recovery.missingAfter {
            queue.enqueue(JournalEntry(missingAfter: head, at: time), window: nil)
        }
        for counted in try opened.file.leftWindows(trust: time) {
            queue.enqueue(JournalEntry(counted), window: counted.key)
        }
        queue.close(left: opened.chain.openAttempts.map { sequence, body in
            // A body that cannot be read still leaves an outcome behind, with the little that is known.
            (sequence, JournalBody.decode(body, hash: [])?.entry ?? JournalEntry(kind: .attempt, time: time))
        }, at: time)
    }

    private init(_ writer: sending JournalWriter, around: JournalWriter.Surroundings) throws(StorageError) {
        queue = around.queue
        reader = around.reader
        opening = around.opening
        watch = around.watch
        keeper = around.keeper
        onIncident = around.onIncident
        // The lock hands the writer over to its thread, which keeps it until the end.
        let writer = Monitor(writer)
        thread = try Worker(storage: "journal", loops: around.loops) { loop in writer.withLock { $0.run(loop) } }
    }

    deinit { close() }

    /// Takes a record for writing; never waits for the disk. A record that is refused (too large, too many
    /// waiting, closed) has a ticket that says so at once.
    public func append(_ entry: JournalEntry) -> JournalTicket {
        queue.change { $0.append(entry) }
    }

    /// Waits until every record taken so far is on the disk, at most so many milliseconds. A disk that fails or hangs ends the
    /// wait, not the promise of the records.
    public func settle(milliseconds: Int) {
        _ = queue.withLock { $0.newest }?.wait(milliseconds: milliseconds)
    }

    /// Signs how far the chains reach now and makes a record of it. Nil if it cannot be signed, or nothing signs here.
    public func checkpoint() -> (entry: JournalEntry, ticket: JournalTicket)? { keeper?.make() }

    /// The main chain's durable head.
    public var head: JournalHead { queue.withLock { $0.durable.main.head } }

    /// Heads, queue and failures at this moment.
    public var status: JournalStatus {
        var status = queue.withLock { $0.status }
        if let hanging = watch.failure { status.failure = hanging }
        return status
    }

    /// At most `limit` durable records from `sequence` on, oldest first.
    public func read(
        from sequence: UInt64, limit: Int, filter: JournalFilter = JournalFilter()
    ) throws(StorageError) -> [JournalRecord] {
        let records = try reading { (reader) throws(StorageError) in
            try reader.read(from: sequence, limit: max(0, limit), filter: filter)
        }
        // What somebody put behind the end is not shown.
        let newest = numbered(filter.partition)
        return Array(records.prefix { $0.sequence <= newest })
    }

    /// A durable record of the main chain with the hash that it follows from; nil if the journal does not have it.
    /// - Throws: `journal-record-damaged` if it does not follow.
    public func chained(_ sequence: UInt64) throws(StorageError) -> ChainedRecord? {
        try reading { (reader) throws(StorageError) in try reader.chained(sequence, in: .main) }
    }

    /// Walks along a whole chain. Takes a while with many records; writing goes on meanwhile.
    public func verify(_ partition: JournalPartition = .main) throws(StorageError) -> JournalVerification {
        var walk = try walk(partition, after: nil, limit: .max)
        let first = walk.start.sequence + 1
        while !walk.isAtEnd, case .intact(_, let head) = walk.found { walk = try self.walk(partition, after: head, limit: .max) }
        guard case .intact(_, let head) = walk.found else { return walk.found }
        return .intact(first: first, head: head)
    }

    /// Walks about `limit` records along a chain; writing goes on meanwhile.
    /// - Parameter position: where the walk came to before; nil begins with the oldest record kept.
    public func walk(
        _ partition: JournalPartition, after position: JournalHead?, limit: UInt64
    ) throws(StorageError) -> JournalWalk {
        let head = queue.withLock { $0.durable[partition].head }
        var walk = ChainWalk(from: try start(of: partition, after: position))
        func result(_ found: JournalVerification, isAtEnd: Bool) -> JournalWalk {
            JournalWalk(
                found: found, isAtEnd: isAtEnd, start: walk.start, checkpoints: walk.checkpoints, continuations: walk.continuations,
                transcripts: walk.transcripts)
        }
        while walk.position.sequence < head.sequence, walk.position.sequence - walk.start.sequence < limit, !walk.isLaden {
            let broken = try reading { (reader) throws(StorageError) in
                try reader.walk(&walk, in: partition, to: head.sequence, limit: Self.stretch)
            }
            if let broken { return result(broken, isAtEnd: true) }
        }
        if walk.position.sequence == head.sequence && walk.position != head {
            return result(.broken(sequence: head.sequence, why: "its hash is not that of the durable head"), isAtEnd: true)
        }
        let isAtEnd = walk.position.sequence >= head.sequence
        if isAtEnd, let beyond = try recordNobodyWrote(in: partition) { return result(beyond, isAtEnd: true) }
        return result(.intact(first: walk.start.sequence + 1, head: walk.position), isAtEnd: isAtEnd)
    }

    /// The number of the newest record that has been given one; records have theirs before they go to the disk.
    private func numbered(_ partition: JournalPartition) -> UInt64 { queue.withLock { $0.numbered(partition) } }

    /// A record behind the end of the chain, which the gate has not written.
    private func recordNobodyWrote(in partition: JournalPartition) throws(StorageError) -> JournalVerification? {
        // In this order: what the gate writes meanwhile has its number before it is found.
        let newest = try reading { (reader) throws(StorageError) in try reader.newest(in: partition) }
        guard newest > numbered(partition) else { return nil }
        return .broken(sequence: newest, why: "the gate has not written it")
    }

    /// What a chain has at a place.
    public func place(of sequence: UInt64, in partition: JournalPartition) throws(StorageError) -> JournalPlace {
        try reading { (reader) throws(StorageError) in try reader.place(of: sequence, in: partition) }
    }

    private func start(of partition: JournalPartition, after position: JournalHead?) throws(StorageError) -> JournalHead {
        if let position { return position }
        return try reading { (reader) throws(StorageError) in try reader.anchor(of: partition) }
    }

    /// Records that are read at once.
    private static let stretch = 500

    /// Writes what waits, ends the counters, empties the log and closes. What cannot be written now is
    /// refused, and so are later appends. Called again, it only repeats its answer.
    ///
    /// Waits for a disk that hangs `JournalSettings.closeMilliseconds` at most: a gate must stop even then.
    @discardableResult
    public func close() -> JournalClosing {
        closing.withLock { closing in
            let how = closing ?? end()
            closing = how
            return how
        }
    }

    private func end() -> JournalClosing {
        queue.change { $0.close() }
        let isComplete = thread.ends(byMonotonicMilliseconds: MonotonicTime.milliseconds + opening.settings.closeMilliseconds)
        watch.stop()
        guard !isComplete else { return .complete }
        onIncident(.abandoned(queue.withLock { $0.waiting.count }))
        return .abandoned
    }

    private func reading<Result>(
        _ body: (JournalReader) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try reader.withLock { (reader) throws(StorageError) in
            do throws(StorageError) {
                let opened: JournalReader
                if let reader { opened = reader } else { opened = try JournalReader(opening) }
                reader = opened
                return try body(opened)
            } catch {
                // The writer sets a damaged file aside before it writes anything more.
                if error.kind == .corrupt || error.kind == .schemaDiffers { queue.change { $0.suspect(error) } }
                throw error
            }
        }
    }
}
