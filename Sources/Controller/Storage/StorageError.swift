/// Why the storage could not do what it was asked. Compared by kind.
public struct StorageError: Error, Sendable {
    /// What was wrong; the raw value is the stable code.
    public enum Kind: String, Sendable, CaseIterable {
        /// No space is left for the database or its write-ahead log.
        case diskFull = "disk-full"
        /// The file or its file system refuses writing.
        case readOnly = "read-only"
        /// Another connection holds the database.
        case busy = "database-busy"
        /// The file is damaged or is no database of ours.
        case corrupt = "database-corrupt"
        /// The schema of a file is not the one that we write.
        case schemaDiffers = "journal-schema-differs"
        /// The file was written by a newer version of this program.
        case newerSchema = "newer-schema"
        /// The disk has not answered for longer than one in order takes.
        case slow = "journal-slow"
        /// The operating system reported an error while reading or writing.
        case inputOutput = "input-output-error"
        /// The file or its folder is missing or may not be opened.
        case cannotOpen = "cannot-open"
        /// No memory was left.
        case outOfMemory = "out-of-memory"
        /// Another process works on the same folder.
        case inUse = "storage-in-use"
        /// Too many records wait for the disk; this one was refused and counted.
        case queueFull = "journal-queue-full"
        /// A record is larger than the journal takes.
        case entryTooLarge = "journal-entry-too-large"
        /// The journal or store has been closed.
        case closed = "storage-closed"
        /// A record does not say what it said when it was written.
        case recordDamaged = "journal-record-damaged"
        /// There is no usable site data on this gate.
        case noSiteData = "no-trust-data"
        /// SQLite refused a statement of ours: a mistake of this program.
        case statement = "database-statement"
    }

    /// What was wrong.
    public let kind: Kind
    /// For people: what failed, and what can be done about it where that is known.
    public let message: String

    /// An error with a sentence of its own; what can be done about this kind is added.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = kind.remedy.map { "\(message) \($0)" } ?? message
    }

    /// The stable code.
    public var code: String { kind.rawValue }

    /// Whether the file is not to be worked with any more: it is set aside.
    var isDamage: Bool {
        switch kind {
        case .corrupt, .schemaDiffers, .statement: true
        case .diskFull, .readOnly, .busy, .newerSchema, .slow, .inputOutput, .cannotOpen, .outOfMemory, .inUse, .queueFull, .entryTooLarge,
             .closed, .recordDamaged, .noSiteData: false
        }
    }

    /// Whether the condition may end by itself or by an operator's hand, so that trying again is right.
    public var mayPass: Bool {
        switch kind {
        case .diskFull, .readOnly, .busy, .slow, .inputOutput, .cannotOpen, .outOfMemory, .inUse: true
        case .corrupt, .schemaDiffers, .newerSchema, .queueFull, .entryTooLarge, .closed, .recordDamaged, .noSiteData, .statement: false
        }
    }
}

extension StorageError: Hashable {
    /// Errors compare by code: the sentence may name paths and numbers.
    public static func == (left: StorageError, right: StorageError) -> Bool { left.kind == right.kind }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}
