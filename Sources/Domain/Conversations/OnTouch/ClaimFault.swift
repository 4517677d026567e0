/// Why a decrypted message_3 is not accepted as a claim. The texts are stable codes.
enum ClaimFault: Error, Hashable {
    /// The credential is none of this profile.
    case malformed(String)
    /// EAD_3 breaks the rules.
    case protocolError(String)
    /// The phone sees another carrier than the gate.
    case wrongCarrier
    /// The phone speaks of another lane.
    case wrongLane
}
