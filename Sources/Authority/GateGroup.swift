import Credentials
import Cryptography

/// A group of gates that share their keys, as `gate` made it.
public struct GateGroup: Sendable {
    /// Its name.
    public let name: String
    /// Where the two private key files are, to be installed on the gates of the group.
    public let folder: String
    /// The credential that phones need for a gate that signs (methods 0 and 2).
    public let signing: GateCredential
    /// The credential that phones need for a gate that agrees (methods 1 and 3).
    public let agreement: GateCredential

    /// The name of the signing key's file.
    public static let signingKeyName = "gate-signing.key"
    /// The name of the agreement key's file.
    public static let agreementKeyName = "gate-agreement.key"
}
