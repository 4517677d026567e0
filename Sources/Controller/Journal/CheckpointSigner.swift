import Cryptography
import Encoding
import Evidence
import Service
import Storage

/// Signs how far the chains of the journal reach (A6).
package struct CheckpointSigner: Sendable {
    /// The audit key.
    let key: SigningKey
    /// Whose journal it is.
    let site: String
    let gate: String
    /// The time of day.
    let clock: SystemClock

    package init(key: SigningKey, site: String, gate: String, clock: SystemClock) {
        self.key = key
        self.site = site
        self.gate = gate
        self.clock = clock
    }

    /// For the journal, which knows of no keys.
    package var sign: @Sendable (JournalReach) -> JournalEntry? { { record(of: $0) } }

    /// The record of a checkpoint; nil if it cannot be signed.
    package func record(of reach: JournalReach) -> JournalEntry? {
        let time = JournalTime(clock)
        let checkpoint = Checkpoint(
            site: site, gate: gate, milliseconds: max(0, time.wallMilliseconds), clock: time.trust, main: ChainExtent(reach.main),
            unproven: ChainExtent(reach.unproven))
        guard let signed = try? SignedCheckpoint.sign(checkpoint, key: key) else { return nil }
        return JournalEntry(
            kind: .checkpoint, time: time, evidence: signed.raw,
            detail: ["main": .unsigned(checkpoint.main.sequence), "unproven": .unsigned(checkpoint.unproven.sequence)])
    }
}

extension ChainExtent {
    package init(_ chain: JournalReach.Chain) {
        self.init(first: chain.first, sequence: chain.head.sequence, hash: chain.head.hash, keeps: chain.keeps)
    }
}

extension ChainPlace {
    package init(_ place: JournalPlace) {
        self = switch place {
        case .hash(let hash): .hash(hash)
        case .letGo: .letGo
        case .beyond: .beyond
        }
    }
}
