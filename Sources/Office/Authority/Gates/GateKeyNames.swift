import Credentials
import Encoding

/// The `kid`s of the gate keys that phones have, for the choice of further ones.
///
/// A `kid` has one byte. 48 of these bytes travel as an integer (RFC 9528, 3.3.2): a byte less in every message_2, and EDHOC
/// libraries of other people's phones refuse the rest. So keys share one of these before one takes another.
struct GateKeyNames {
    /// A phone tries as many keys by one `kid`.
    static let mostKeysOfOneName = 4

    /// The 48 bytes.
    static let short = (UInt8.min...UInt8.max).filter { CBOR.isInteger(ofOneByte: $0) }

    /// How many keys have each name.
    private var uses: [[UInt8]: Int] = [:]

    /// A key that phones have, or will have.
    mutating func add(_ credential: GateCredential) { uses[credential.keyIdentifier, default: 0] += 1 }

    /// Whether a key with this credential may be added.
    func welcomes(_ credential: GateCredential) -> Bool {
        let name = credential.keyIdentifier
        let shortUses = Self.short.map { uses[[$0], default: 0] }
        guard shortUses.contains(where: { $0 < Self.mostKeysOfOneName }) else {
            return uses[name, default: 0] < Self.mostKeysOfOneName
        }
        // As few keys of one name as leaves half of the names free: then a key is soon found.
        let allowed = min(1 + shortUses.reduce(0, +) / (Self.short.count / 2), Self.mostKeysOfOneName)
        return name.count == 1 && Self.short.contains(name[0]) && uses[name, default: 0] < allowed
    }
}
