import Conversations
import VirtualPhone

/// One conversation with a gate, as the phone saw it.
public struct TapRecord: Sendable {
    /// How it ended; nil if it did not.
    public let result: PhoneResult?
    /// What was said, from SELECT on.
    public let steps: [TapStep]
    /// What the gate said of itself, once it proved its key.
    public let gate: GateContext?

    /// What it comes to.
    public var verdict: TapVerdict { TapVerdict(result) }
}
