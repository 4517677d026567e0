import Encoding
import Threads

/// The one writer: takes what waits, commits it as a group, tells the tickets. Lives on its own thread.
final class JournalWriter {
    struct Surroundings: Sendable {
        let boot: [UInt8]
        let settings: JournalSettings
        let opening: JournalOpening
        let queue: Monitor<JournalQueue>
        let reader: Monitor<JournalReader?>
        let heads: SlotFile
        let logMover: LogMover
        let watch: JournalWatch
        let keeper: CheckpointKeeper?
        let loops: Loops
        let time: @Sendable () -> JournalTime
        let onIncident: @Sendable (JournalIncident) -> Void
    }

    private enum Step {
        case write([JournalQueue.Waiting])
        case setAside(StorageError)
        case end
    }

    /// What has the journal's name.
    private enum Place {
        /// The file in use.
        case file(JournalFile)
        /// The file in use, which could not be written when it was opened: a connection stays as it was made.
        case readOnly
        /// A damaged file, which could not be renamed yet.
        case damaged(StorageError)
        /// Nothing: the damaged file was set aside, and the one that continues the chain is still to be made.
        case nothing
    }

    private let around: Surroundings
    private var place: Place
    private var chain: JournalChain
    private var isFailing = false
    /// What was told last about collecting.
    private var reportedCollection = JournalCollectionState.inOrder
    /// Whether the file in use holds anything. One that is damaged before says that the disk is; keeping
    /// each of them would fill the folder.
    private var hasWritten = true

    init(_ opened: JournalOpening.Opened, around: Surroundings) {
        self.around = around
        place = .file(opened.file)
        chain = opened.chain
    }

    /// Works until the queue is closed and empty, or closed and the last try has failed.
    func run(_ loop: Loop) {
        while true {
            let step = nextStep(loop)
            let wasFailing = isFailing
            around.watch.begin()
            handle(step)
            let wasSlow = around.watch.end()
            if case .end = step { return }
            if wasFailing || wasSlow, !isFailing { around.onIncident(.recovered) }
        }
    }

    private func handle(_ step: Step) {
        switch step {
        case .write(let batch): attempt(batch)
        case .setAside(let error): replaceFile(because: error)
        case .end: finish()
        }
    }

    // Waiting ------------------------------------------------------------------------------------

    private func nextStep(_ loop: Loop) -> Step {
        let time = around.time
        return around.queue.waitForStep(loop) { queue -> WaitStep<Step> in
            if let suspicion = queue.suspicion { return .proceed(.setAside(suspicion)) }
            queue.closeWindows(at: time().monotonicMilliseconds)
            if let batch = queue.nextBatch(now: MonotonicTime.milliseconds) {
                queue.beginTry()
                return .proceed(.write(batch))
            }
            return queue.isOver ? .proceed(.end) : .wait(until: Self.deadline(of: queue, time: time()))
        }
    }

    private static func deadline(of queue: JournalQueue, time: JournalTime) -> Int64? {
        let now = MonotonicTime.milliseconds
        let window = queue.nextWindowEnd.map { now + max(1, $0 - time.monotonicMilliseconds) }
        return [queue.nextRetry, window].compactMap { $0 }.min()
    }

    // Writing ------------------------------------------------------------------------------------

    private func attempt(_ batch: [JournalQueue.Waiting]) {
        do throws(StorageError) {
            let file = try usableFile()
            var draft = chain
            let states = try file.commit { () throws(StorageError) in
                var states: [JournalTicketState] = []
                for waiting in batch { states.append(try write(waiting.work, to: file, chain: &draft)) }
                try trim(&draft, in: file)
                return states
            }
            chain = draft
            committed(batch, states)
        } catch {
            failed(error)
        }
    }

    private func write(
        _ work: JournalWork, to file: JournalFile, chain: inout JournalChain
    ) throws(StorageError) -> JournalTicketState {
        switch work {
        case .record(let partition, let sequence, let entry, let window):
            let attemptBody = try close(entry.attempt, to: file, chain: &chain)
            let body = JournalBody.encode(
                entry, partition: partition, sequence: sequence, boot: around.boot,
                attemptBody: partition == .main ? attemptBody : nil)
            let hash = JournalChain.hash(after: chain[partition].head.hash, body: body)
            chain[partition].head = JournalHead(sequence: sequence, hash: hash)
            try file.insert(entry, at: chain[partition].head, body: body)
            for effect in entry.effects { try file.apply(effect) }
            if entry.kind == .attempt {
                chain.openAttempts[sequence] = body
                try file.open(attempt: sequence, body: body)
            }
            if let window { try file.end(window: window) }
            if let through = entry.collectedThrough {
                chain.collection = JournalCollection(through: through, overwritten: 0)
                try file.set(chain.collection)
            }
            return .durable(sequence: sequence, head: chain.main.head)
        case .count(let key, let attempt, let time):
            _ = try close(attempt, to: file, chain: &chain)
            try file.count(key, at: time)
            return .durable(sequence: attempt ?? 0, head: chain.main.head)
        }
    }

    /// Closes an open attempt. Answers its body.
    private func close(
        _ attempt: UInt64?, to file: JournalFile, chain: inout JournalChain
    ) throws(StorageError) -> [UInt8]? {
        guard let attempt, let body = chain.openAttempts.removeValue(forKey: attempt) else { return nil }
        try file.close(attempt: attempt)
        return body
    }

    /// Keeps both rings within their bounds, several records at a time.
    private func trim(_ chain: inout JournalChain, in file: JournalFile) throws(StorageError) {
        for partition in JournalPartition.allCases {
            let most = around.settings.bound(of: partition, in: chain)
            let slack = min(256, most / 16)
            guard chain[partition].count > most + slack else { continue }
            let before = chain[partition].anchor.sequence
            chain[partition].anchor = try file.trim(partition, through: chain[partition].head.sequence - most)
            if partition == .main, around.settings.collects { try lose(after: before, in: &chain, file) }
        }
    }

    /// Counts what the ring has let go before anybody had it.
    private func lose(after anchor: UInt64, in chain: inout JournalChain, _ file: JournalFile) throws(StorageError) {
        let before = chain.collection
        chain.collection.lose(after: anchor, through: chain.main.anchor.sequence)
        if chain.collection != before { try file.set(chain.collection) }
    }

    private func committed(_ batch: [JournalQueue.Waiting], _ states: [JournalTicketState]) {
        hasWritten = true
        let lost = around.queue.withLock { $0.succeeded(batch.count, chain: chain) }
        for (waiting, state) in zip(batch, states) { waiting.ticket?.settle(state) }
        // Not synced: it may lag behind the database, never run ahead of it.
        try? around.heads.write(chain.heads.encoded, synced: false)
        isFailing = false
        if lost > 0 { report(lost: lost) }
        reportCollection()
        around.keeper?.advance(to: reach)
        if case .file(let file) = place, file.logBytes >= LogMover.threshold { around.logMover.request() }
    }

    // Failing ------------------------------------------------------------------------------------

    private func failed(_ error: StorageError) {
        if error.isDamage {
            if hasWritten { return replaceFile(because: error) }
            discardFile()
        }
        giveUpReadOnlyConnection()
        let waiting = around.queue.withLock { queue -> [JournalQueue.Waiting] in
            queue.failed(error, now: MonotonicTime.milliseconds)
            return queue.waiting
        }
        for waiting in waiting { waiting.ticket?.settle(.failed(error)) }
        if !isFailing {
            isFailing = true
            around.onIncident(.failing(error))
        }
    }

    private func giveUpReadOnlyConnection() {
        guard case .file(let file) = place, file.isReadOnly else { return }
        Loop.outside(.disk) { around.reader.withLock { $0 = nil } }
        place = .readOnly
    }

    /// Gives up a file that is damaged before it holds anything; the next try makes another.
    private func discardFile() {
        guard case .file(let file) = place else { return }
        try? file.discard()
        place = .nothing
    }

    /// Gives up a file that is damaged, and tries at once to have another in its place.
    private func replaceFile(because reason: StorageError) {
        // Everything closed before anything is renamed; see `JournalOpening`.
        Loop.outside(.disk) { around.reader.withLock { $0 = nil } }
        // After the reader: whoever used it can raise no more suspicion against the file that is going.
        around.queue.withLock { $0.clearSuspicion() }
        if case .nothing = place { return }
        place = .damaged(reason)
        do throws(StorageError) { _ = try usableFile() } catch { failed(error) }
    }

    /// The file in use. If there is none, takes the steps from a damaged file to a new one that the last
    /// try could not take, and none of them twice.
    private func usableFile() throws(StorageError) -> JournalFile {
        switch place {
        case .file(let file):
            return file
        case .readOnly:
            let file = try around.opening.reopen(chain)
            place = .file(file)
            return file
        case .damaged(let reason):
            try setAside(because: reason)
        case .nothing:
            // Neither this writer's nor damaged as far as anybody knows, but not the continuation either.
            if around.opening.folder.has(JournalFile.name) {
                try setAside(because: StorageError(.corrupt, "A file was put in the journal's place while in use."))
            }
        }
        let file = try around.opening.create(chain)
        place = .file(file)
        return file
    }

    /// Renames what has the journal's name. It is told at once: the record waits for the new file, and
    /// keeps the writer trying until there is one.
    private func setAside(because reason: StorageError) throws(StorageError) {
        let aside = try around.opening.setAside(because: reason, continuing: chain)
        place = .nothing
        hasWritten = false
        chain = chain.withoutRecords
        let time = around.time()
        around.queue.withLock { $0.report(aside, at: time) }
        around.onIncident(.setAside(aside))
    }

    private func report(lost: Int) {
        let entry = JournalEntry(
            kind: .journal, time: around.time(), reason: "journal-records-lost", detail: ["count": CBOR(lost)])
        around.queue.withLock { _ = $0.enqueue(entry, window: nil) }
        around.onIncident(.lost(lost))
    }

    /// Says once that it is time to collect, that the ring is full, and that it is in order again.
    private func reportCollection() {
        let state = around.settings.collectionState(of: chain)
        guard state != reportedCollection else { return }
        reportedCollection = state
        if let code = state.code {
            let entry = JournalEntry(
                kind: .journal, time: around.time(), reason: code, detail: ["uncollected": .unsigned(chain.uncollected)])
            around.queue.withLock { _ = $0.enqueue(entry, window: nil) }
        }
        around.onIncident(.collection(state))
    }

    private var reach: JournalReach { chain.reach(around.settings) }

    /// The checkpoint of an orderly end: nothing waits any more, and the disk works.
    private func signLast() {
        guard let keeper = around.keeper, let entry = keeper.stop(at: reach), case .file(let file) = place, !isFailing else { return }
        var draft = chain
        do throws(StorageError) {
            try file.commit { () throws(StorageError) in
                _ = try write(.record(.main, sequence: draft.main.head.sequence + 1, entry, window: nil), to: file, chain: &draft)
                try trim(&draft, in: file)
            }
        } catch {
            // The next start finds that there is none, and makes it.
            return
        }
        chain = draft
        _ = around.queue.withLock { $0.succeeded(0, chain: chain) }
    }

    private func finish() {
        around.logMover.stop()
        around.reader.withLock { $0 = nil }
        let (left, failure) = around.queue.withLock { ($0.waiting, $0.failure) }
        for waiting in left { waiting.ticket?.settle(.refused(failure ?? JournalQueue.closed)) }
        if left.isEmpty { signLast() } else { _ = around.keeper?.stop(at: reach) }
        // What fails here fails again at the next start, where it is told.
        if case .file(let file) = place { try? file.finish() }
        try? around.heads.write(chain.heads.encoded, synced: true)
        place = .nothing
    }
}
