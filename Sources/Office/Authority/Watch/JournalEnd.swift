import Audit

/// The newest record of a gate's journal, as the gate names it.
struct JournalEnd: Equatable {
    let sequence: UInt64
    /// The hash of that record.
    let hash: [UInt8]
}

extension JournalEnd {
    init(_ extent: ChainExtent) { self.init(sequence: extent.sequence, hash: extent.hash) }
}
