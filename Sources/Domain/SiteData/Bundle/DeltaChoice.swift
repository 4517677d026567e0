/// Which bundle of people a gate takes.
public enum DeltaChoice: Hashable, Sendable {
    /// The changes since that version.
    case changes(since: UInt64)
    /// The whole.
    case full

    /// A bundle of changes that is to be had.
    public struct Offer: Hashable, Sendable {
        /// The version from which it leads on.
        public let from: UInt64
        /// Its length in bytes.
        public let length: UInt64

        /// An offer.
        public init(from: UInt64, length: UInt64) {
            self.from = from
            self.length = length
        }
    }

    /// The shortest way from a state: any changes that begin at it or before lead on from it.
    /// - Parameters:
    ///   - version: what the gate has in this epoch; nil: nothing.
    ///   - fullLength: the length of the whole in bytes.
    public init(having version: UInt64?, offers: [Offer], fullLength: UInt64) {
        let usable = offers.filter { offer in version.map { offer.from <= $0 } ?? false }
        guard let best = usable.min(by: { $0.length == $1.length ? $0.from > $1.from : $0.length < $1.length }), best.length < fullLength else {
            self = .full
            return
        }
        self = .changes(since: best.from)
    }
}
