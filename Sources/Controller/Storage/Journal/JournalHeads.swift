import Encoding

/// The heads of both chains, as the small file `journal.head` keeps them beside the database. It is
/// written after every commit without waiting for the disk, and synced at the end: if `journal.db` is
/// damaged or gone, a new one continues from here, and if it ends before this, records were cut off.
struct JournalHeads: Equatable, Sendable, PerPartition {
    var main: JournalHead
    var unproven: JournalHead

    static let none = JournalHeads(main: .none, unproven: .none)

    var encoded: [UInt8] {
        CBOR.array([
            .unsigned(main.sequence), .bytes(main.hash), .unsigned(unproven.sequence), .bytes(unproven.hash)
        ]).encoded
    }

    init(main: JournalHead, unproven: JournalHead) {
        self.main = main
        self.unproven = unproven
    }

    init?(_ bytes: [UInt8]) {
        guard let items = (try? CBOR.decode(bytes))?.array, items.count == 4,
              let mainSequence = items[0].unsignedInteger, let mainHash = items[1].bytes, mainHash.count == 32,
              let unprovenSequence = items[2].unsignedInteger, let unprovenHash = items[3].bytes, unprovenHash.count == 32
        else { return nil }
        main = JournalHead(sequence: mainSequence, hash: mainHash)
        unproven = JournalHead(sequence: unprovenSequence, hash: unprovenHash)
    }
}
