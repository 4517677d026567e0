/// Opens `journal.db` whatever state it is in: as it is, or set aside and continued in a new file.
struct JournalOpening {
    let folder: StorageFolder
    let settings: JournalSettings
    /// The SQLite VFS; tests bring one that fails on demand.
    let fileSystem: String?

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
                recovery: JournalRecovery(closedAttempts: chain.openAttempts.count, setAside: nil, missingAfter: missing))
        } catch {
            guard error.kind == .corrupt || error.kind == .statement else { throw error }
            let claimed = known ?? (try? damaged?.claimedHeads())
            // Closed before it is renamed: SQLite must not touch a new log under the old name.
            damaged = nil
            return try setAside(because: error, chain: claimed.map { JournalChain.continuing($0) })
        }
    }

    private func connect() throws(StorageError) -> JournalFile {
        try JournalFile(in: folder, lockWait: settings.lockWaitMilliseconds, fileSystem: fileSystem)
    }

    private func openMissing(known: JournalHeads?) throws(StorageError) -> Opened {
        guard let known, known != .none else {
            let chain = JournalChain()
            return Opened(
                file: try create(chain), chain: chain,
                recovery: JournalRecovery(closedAttempts: 0, setAside: nil, missingAfter: nil))
        }
        let gone = StorageError(.corrupt, "\(folder.path(of: JournalFile.name)) is gone, but there has been one.")
        return try setAside(because: gone, chain: .continuing(known))
    }

    /// What was durable once and is not there any more.
    private func missing(known: JournalHeads?, in file: JournalFile) throws(StorageError) -> JournalHead? {
        guard let known else { return nil }
        return try file.holds(known.main, in: .main) ? nil : known.main
    }

    /// Renames the file and continues its chains in a new one.
    /// - Parameter chain: where to continue; nil begins anew.
    func setAside(because reason: StorageError, chain: JournalChain?) throws(StorageError) -> Opened {
        var name = ""
        if folder.has(JournalFile.name) {
            name = try folder.setAside(JournalFile.name, because: "corrupt")
        }
        var continued = chain ?? JournalChain()
        for partition in JournalPartition.allCases { continued[partition].anchor = continued[partition].head }
        let aside = JournalSetAside(name: name, reason: reason, continuedFrom: chain?.main.head)
        return Opened(
            file: try create(continued), chain: continued,
            recovery: JournalRecovery(
                closedAttempts: continued.openAttempts.count, setAside: aside, missingAfter: nil))
    }

    private func create(_ chain: JournalChain) throws(StorageError) -> JournalFile {
        // A log without its database belongs to nothing; SQLite would take it for this one's.
        try folder.remove(JournalFile.name + "-wal")
        try folder.remove(JournalFile.name + "-shm")
        try folder.create(JournalFile.name)
        let file = try connect()
        try file.commit { () throws(StorageError) in
            for partition in JournalPartition.allCases where chain[partition].anchor.sequence > 0 {
                try file.set(anchor: chain[partition].anchor, of: partition)
            }
            for (sequence, body) in chain.openAttempts { try file.open(attempt: sequence, body: body) }
        }
        try folder.sync()
        return file
    }
}
