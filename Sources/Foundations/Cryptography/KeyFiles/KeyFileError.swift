/// Why a text is no key file.
public enum KeyFileError: Error, Hashable, Sendable {
    /// The text is longer than `KeyFile.longest` bytes.
    case tooLong
    /// The first or last line is not that of a key file, or there is no base64 between them.
    case armour
    /// The bytes between the lines are not a COSE_Key in deterministic CBOR.
    case encoding
    /// Type, curve and operations of the key do not go together.
    case unsupportedKey
    /// The role is not known, or does not go with what the key is for.
    case role
    /// The private and the public half do not belong together, or the point is not on the curve.
    case inconsistent
    /// Everybody has the private half.
    case wellKnown
    /// A private key where a public one is announced, or the reverse.
    case wrongHalf

    /// Stable code for logs.
    public var code: String {
        switch self {
        case .tooLong: "key-file-too-long"
        case .armour: "key-file-armour"
        case .encoding: "key-file-encoding"
        case .unsupportedKey: "key-file-unsupported-key"
        case .role: "key-file-role"
        case .inconsistent: "key-file-inconsistent"
        case .wellKnown: "key-well-known"
        case .wrongHalf: "key-file-wrong-half"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .tooLong: "The key file is longer than \(KeyFile.longest) bytes."
        case .armour: "The text does not begin and end like a key file."
        case .encoding: "The contents of the key file cannot be read."
        case .unsupportedKey: "The type, curve or operations of the key are not supported."
        case .role: "The role of the key is not known or does not go with its use."
        case .inconsistent: "The private and the public part of the key do not belong together."
        case .wellKnown: "Everybody has the private half of this key: it is one of examples. Make another."
        case .wrongHalf: "The key file announces one half of a key pair and contains the other."
        }
    }
}
