import Encoding

/// Why bytes are not metadata of the role they were fetched for. Says nothing about who signed them.
public enum MetadataFault: Error, Hashable, Sendable {
    /// The bytes are no JSON, or more of it than a file may hold.
    case json(JSONError)
    /// A field is missing or has a wrong type or value; the path of the field.
    case field(String)
    /// The signed part holds a number that the signed form has no text for.
    case noSignedForm
    /// The metadata follows another major version of the specification.
    case unsupportedSpecification(String)
    /// The metadata is that of another kind of role.
    case wrongRole(found: String)
    /// Two signatures claim the same key (TUF specification, 4.2.1).
    case duplicateSignature(keyIdentifier: String)
    /// A role lists the same key twice.
    case duplicateKey(keyIdentifier: String)
    /// Two delegations of one role have the same name (TUF specification, 4.5).
    case duplicateDelegation(role: String)
    /// A delegated role has a name that no file may have.
    case unsafeRoleName(String)
    /// Targets are delegated in a way that this version does not know.
    case unknownDelegation
}

extension MetadataFault {
    /// Stable code for logs.
    public var code: String {
        switch self {
        case .json, .field, .noSignedForm: "tuf-malformed-metadata"
        case .unsupportedSpecification: "tuf-unsupported-spec"
        case .wrongRole: "tuf-wrong-role"
        case .duplicateSignature: "tuf-duplicate-signature"
        case .duplicateKey: "tuf-duplicate-key"
        case .duplicateDelegation: "tuf-duplicate-delegation"
        case .unsafeRoleName: "tuf-unsafe-role-name"
        case .unknownDelegation: "tuf-unknown-delegation"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .json(let error): error.message
        case .field(let path): "The field \(path) is missing or has a wrong value."
        case .noSignedForm: "The signed part has a number that is no 64-bit integer."
        case .unsupportedSpecification(let version): "The metadata follows version \(version) of TUF; this version knows 1."
        case .wrongRole(let found): "This is metadata of the kind \(found), which was not asked for."
        case .duplicateSignature(let key): "There are two signatures of the key \(key)."
        case .duplicateKey(let key): "A role lists the key \(key) twice."
        case .duplicateDelegation(let role): "The role \(role) is delegated twice by the same role."
        case .unsafeRoleName(let role): "No delegated role may have the name '\(role)'."
        case .unknownDelegation: "Targets are delegated in a way that this version does not know."
        }
    }
}
