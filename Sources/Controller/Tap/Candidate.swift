import Credentials
import PhoneProtocol

/// One credential that the phone's claim may mean: what its proof is checked with, and whose it is. The two are independent, so that a phone
/// that proves itself with an expired token is told so, and a stranger is not.
struct Candidate: Sendable {
    /// What the proof is checked with.
    let peer: PeerCredential
    /// Whose it is.
    let holder: Holder
}
