import Credentials
import Cryptography

/// The keys that a group of gates shares, as the authority made them: each change of keys is a generation.
public struct GateGroup: Sendable {
    /// Its name.
    public let name: String
    /// 1 for the first keys of the group.
    public let generation: Int
    /// Where the private key files are, to be installed on the gates of the group.
    public let folder: String
    /// The credential that phones need for a gate that signs (methods 0 and 2).
    public let signing: GateCredential
    /// The credential that phones need for a gate that agrees (methods 1 and 3).
    public let agreement: GateCredential

    /// The name of the signing key's file.
    public static let signingKeyName = "gate-signing.key"
    /// The name of the agreement key's file.
    public static let agreementKeyName = "gate-agreement.key"
    /// The name of the file that shows the signing key by value.
    public static let signingTokenName = "gate-signing.cwt"
    /// The name of the file that shows the agreement key by value.
    public static let agreementTokenName = "gate-agreement.cwt"

    /// Where the keys of a generation lie in the folder of the authority.
    static func folder(_ name: String, generation: Int) -> String {
        generation == 1 ? "gates/\(name)" : "gates/\(name)/\(generation)"
    }
}
