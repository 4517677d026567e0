import Threads

/// A loop that waits too long for something outside the gate: a fault to be shown, no reason for a restart.
struct LoopDelay: Equatable {
    let loop: String
    let call: OutsideCall
    let milliseconds: Int64

    /// Nil for a loop that is not delayed.
    init?(loop: String, _ verdict: LoopVerdict) {
        guard case .delayed(let call, let milliseconds) = verdict else { return nil }
        self.loop = loop
        self.call = call
        self.milliseconds = milliseconds
    }

    /// Stable code.
    var code: String { "loop-delayed" }
    /// A sentence for people that names the remedy (T13).
    var message: String { "\(loop) has been waiting for \(call.name) for \(milliseconds / 1000) s. \(call.remedy)" }
}
