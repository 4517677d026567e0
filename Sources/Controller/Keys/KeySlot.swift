/// The keys for one purpose, signing or agreeing: the one of today and the one that follows it.
struct KeySlot: Sendable {
    /// Nil where none is named, or it cannot be used.
    let current: GateKey?
    /// Nil where none is named, or it cannot be used.
    let next: GateKey?

    /// The key in force. A next key that cannot be used changes nothing: a gate with the old key still serves
    /// everybody who knows it.
    func inForce(isSwitched: Bool) -> GateKey? { isSwitched ? next ?? current : current }

    var all: [GateKey] { [current, next].compactMap { $0 } }
}
