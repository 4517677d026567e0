import Credentials
import SiteData

/// Of which keys a file of changes speaks, as hashes in memory: most taps are of people whom no change concerns, and need not look there at all.
struct TouchedKeys {
    private var marks: Set<UInt64> = []
    /// Stands for the `kid`s of enrolled keys, which are no keys of records.
    static let keyIdentifier: UInt64 = 0

    /// Reads the keys of a file.
    init(of connection: SQLiteConnection) throws(StorageError) {
        try mark(Self.keyIdentifier, "SELECT kid FROM enrolled", of: connection)
        try mark(RecordKey.Kind.enrolled, "SELECT thumbprint FROM enrolled", of: connection)
        try mark(RecordKey.Kind.membership, "SELECT person FROM membership", of: connection)
        try mark(RecordKey.Kind.uidOnlyCard, "SELECT uid FROM plain_card", of: connection)
        let revocations = try connection.prepare("SELECT kind, value FROM revocation")
        while try revocations.step() { mark(RecordKey.Kind.revocation, [UInt8(truncatingIfNeeded: revocations.integer(0))] + revocations.bytes(1)) }
        let gone = try connection.prepare("SELECT kind, value FROM gone")
        while try gone.step() { mark(UInt64(clamping: gone.integer(0)), gone.bytes(1)) }
    }

    private mutating func mark(_ kind: UInt64, _ query: String, of connection: SQLiteConnection) throws(StorageError) {
        let rows = try connection.prepare(query)
        while try rows.step() { mark(kind, rows.bytes(0)) }
    }

    private mutating func mark(_ kind: UInt64, _ bytes: [UInt8]) { marks.insert(Self.hash(kind, bytes)) }

    /// False: the file says nothing of that key, of a membership: of that person. True: it may.
    func mayHave(_ kind: UInt64, _ bytes: [UInt8]) -> Bool { marks.contains(Self.hash(kind, bytes)) }

    /// The same of a revocation, without making its key.
    func mayHave(_ revocation: RevocationRow) -> Bool {
        let kind = (Self.start ^ RecordKey.Kind.revocation) &* Self.prime
        return marks.contains(Self.hash(revocation.value[...], from: (kind ^ UInt64(UInt8(truncatingIfNeeded: revocation.kind))) &* Self.prime))
    }

    /// FNV-1a. Who finds two keys with one hash has taps look where nothing is.
    private static func hash(_ kind: UInt64, _ bytes: [UInt8]) -> UInt64 {
        // Memberships are asked for by person.
        let counted = kind == RecordKey.Kind.membership ? bytes.prefix(PersonDigest.length) : bytes[...]
        return hash(counted, from: (start ^ kind) &* prime)
    }

    private static func hash(_ bytes: ArraySlice<UInt8>, from start: UInt64) -> UInt64 {
        var hash = start
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* prime }
        return hash
    }

    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01B3
}
