import Credentials

/// The gate's side of a conversation that has come to the phone's proof, whatever carries it. Whoever judges the proof
/// needs to know no more of the carrier.
public protocol GateConversation: ~Copyable {
    /// What the conversation wants done next, in the terms of its carrier.
    associatedtype Action

    /// Checks the phone's proof against the credentials that its claim may mean, none if nobody is known by it.
    mutating func resolve(_ candidates: [PeerCredential]) -> ProofResult
    /// The key for another beginning, which a phone that has proved itself does not need; before a proof there is none to take.
    mutating func removeSpare() -> EphemeralKey?
    /// Tells the phone the result, encrypted: after a proof only.
    mutating func outcome(_ outcome: PhoneOutcome) -> Action
    /// Refuses a phone that has not proved itself: the same for every reason.
    mutating func refuse(_ reason: Reason) -> Action
}

extension NFCGateConversation: GateConversation {}
