/// What an adapter has said of the strength of links.
struct SignalHearing: Hashable, Sendable {
    /// The kernel's number.
    let adapter: UInt16
    var answers: [SignalAnswer] = []
    /// Why nothing can be asked of it.
    var fault: StrengthFault?
}
