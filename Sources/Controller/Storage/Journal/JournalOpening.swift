/// Opens `journal.db` whatever state it is in: as it is, or set aside and continued in a new file.
struct JournalOpening {
    let folder: StorageFolder
    let settings: JournalSettings
    /// The SQLite VFS; tests bring one that fails on demand.
    let fileSystem: String?
    /// Told the schema of a file that an older program wrote, before it is brought up to date.
    var onUpgrade: @Sendable (Int) -> Void = { _ in }

    /// An open journal and what had to be done for it.
    struct Opened {
        let file: JournalFile
        let chain: JournalChain
        var recovery: JournalRecovery
    }

    /// - Parameter known: what `journal.head` remembers, nil if it is unreadable or new.
    /// - Throws: `newer-schema` with the file untouched; whatever may pass (full, locked, no access).
    func open(known: JournalHeads?) throws(StorageError) -> Opened {
        guard folder.has(JournalFile.name) else { return try openMissing(known: known) }
        var damaged: JournalFile?
        do {
            let file = try connect()
            damaged = file
            let chain = try file.load()
            let missing = try missing(known: known, in: file)
            return Opened(
                file: file, chain: chain,
                recovery: JournalRecovery(
                    closedAttempts: chain.openAttempts.count, setAside: nil, missingAfter: missing, upgradedFrom: file.upgradedFrom,
                    state: try file.loadState()))
        } catch {
            guard error.isDamage else { throw error }
            let claimed = known ?? (try? damaged?.claimedHeads())
            // Closed before it is renamed: SQLite must not touch a new log under the old name.
            damaged = nil
            return try replace(because: error, chain: claimed.map { JournalChain.continuing($0) })
        }
    }

    private func connect() throws(StorageError) -> JournalFile {
        try JournalFile(in: folder, lockWait: settings.lockWaitMilliseconds, fileSystem: fileSystem, onUpgrade: onUpgrade)
    }

    /// Opens the file in use once more.
    /// - Throws: `database-corrupt` if it is gone, or does not end as `chain` does.
    func reopen(_ chain: JournalChain) throws(StorageError) -> JournalFile {
        guard folder.has(JournalFile.name) else { throw StorageError(.corrupt, "The journal was removed while it could not be written.") }
        let file = try connect()
        guard try file.load().heads == chain.heads else {
            throw StorageError(.corrupt, "Another journal was put in this one's place while it could not be written.")
        }
        return file
    }

    private func openMissing(known: JournalHeads?) throws(StorageError) -> Opened {
        guard let known, known != .none else {
            let chain = JournalChain()
            return Opened(
                file: try create(chain), chain: chain,
                recovery: JournalRecovery(closedAttempts: 0, setAside: nil, missingAfter: nil, isNew: true))
        }
        let gone = StorageError(.corrupt, "\(folder.path(of: JournalFile.name)) is gone, but there has been one.")
        return try replace(because: gone, chain: .continuing(known))
    }

    /// What was durable once and is not there any more.
    private func missing(known: JournalHeads?, in file: JournalFile) throws(StorageError) -> JournalHead? {
        guard let known else { return nil }
        return try file.holds(known.main, in: .main) ? nil : known.main
    }

    /// Renames the file and continues its chains in a new one.
    /// - Parameter chain: where to continue; nil begins anew.
    private func replace(because reason: StorageError, chain: JournalChain?) throws(StorageError) -> Opened {
        let aside = try setAside(because: reason, continuing: chain)
        let continued = (chain ?? JournalChain()).withoutRecords
        return Opened(
            file: try create(continued), chain: continued,
            recovery: JournalRecovery(
                closedAttempts: continued.openAttempts.count, setAside: aside, missingAfter: nil))
    }

    /// Renames what has the journal's name, if anything has.
    func setAside(because reason: StorageError, continuing chain: JournalChain?) throws(StorageError) -> JournalSetAside {
        let name = folder.has(JournalFile.name) ? try folder.setAside(JournalFile.name, because: "corrupt") : ""
        return JournalSetAside(name: name, reason: reason, continuedFrom: chain?.main.head, continuedUnproven: chain?.unproven.head)
    }

    /// Makes the file that continues `chain`, whole or not at all: it is built under another name, so a
    /// disk that fails on the way leaves nothing behind that a later try or start would take for a journal.
    func create(_ chain: JournalChain) throws(StorageError) -> JournalFile {
        try build(chain)
        // A log without its database belongs to nothing; SQLite would take it for this one's.
        try removeLog(of: JournalFile.name)
        try folder.rename(JournalFile.unfinishedName, to: JournalFile.name)
        do throws(StorageError) {
            try folder.sync()
            return try connect()
        } catch {
            // It holds nothing yet. Left in place it would be a journal to which nobody was told to change.
            try? folder.remove(JournalFile.name)
            throw error
        }
    }

    private func build(_ chain: JournalChain) throws(StorageError) {
        let name = JournalFile.unfinishedName
        try folder.remove(name)
        try removeLog(of: name)
        do throws(StorageError) {
            try folder.create(name)
            try fill(chain)
        } catch {
            try? folder.remove(name)
            try? removeLog(of: name)
            throw error
        }
        try removeLog(of: name)
    }

    /// The connection is closed when this returns, and everything is in the file itself.
    private func fill(_ chain: JournalChain) throws(StorageError) {
        let file = try JournalFile(
            in: folder, name: JournalFile.unfinishedName, lockWait: settings.lockWaitMilliseconds, fileSystem: fileSystem)
        try file.commit { () throws(StorageError) in
            for partition in JournalPartition.allCases where chain[partition].anchor.sequence > 0 {
                try file.set(anchor: chain[partition].anchor, of: partition)
            }
            for (sequence, body) in chain.openAttempts { try file.open(attempt: sequence, body: body) }
            if chain.collection != .none { try file.set(chain.collection) }
        }
        try file.finish()
    }

    private func removeLog(of name: String) throws(StorageError) {
        try folder.remove(name + "-wal")
        try folder.remove(name + "-shm")
    }
}
