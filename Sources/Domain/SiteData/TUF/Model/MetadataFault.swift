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

/// The members of a JSON object as metadata has them. Members that nobody asks for are left alone: the
/// specification wants unknown ones kept and signed, not refused (TUF specification, 4).
struct MetadataFields {
    let object: JSONObject
    /// Where the object stands, for errors: `signed.roles`.
    let path: String

    init(_ json: JSON?, _ path: String) throws(MetadataFault) {
        guard case .object(let object)? = json else { throw .field(path) }
        self.object = object
        self.path = path
    }

    func has(_ key: String) -> Bool { object[key] != nil }

    func place(_ key: String) -> String { "\(path).\(key)" }

    func fields(_ key: String) throws(MetadataFault) -> MetadataFields {
        try MetadataFields(object[key], place(key))
    }

    func string(_ key: String) throws(MetadataFault) -> String {
        guard let value = object[key]?.string else { throw .field(place(key)) }
        return value
    }

    /// A whole number of at least `least`.
    func integer(_ key: String, from least: Int64) throws(MetadataFault) -> Int64 {
        guard let value = object[key]?.integer, value >= least else { throw .field(place(key)) }
        return value
    }

    /// A truth value; false where there is none.
    func flag(_ key: String) throws(MetadataFault) -> Bool {
        guard let value = object[key] else { return false }
        guard let flag = value.bool else { throw .field(place(key)) }
        return flag
    }

    func array(_ key: String, atMost count: Int) throws(MetadataFault) -> [JSON] {
        guard let values = object[key]?.array, values.count <= count else { throw .field(place(key)) }
        return values
    }

    /// An array of texts, each of at most `length` bytes.
    func strings(_ key: String, atMost count: Int, length: Int) throws(MetadataFault) -> [String] {
        var strings: [String] = []
        for value in try array(key, atMost: count) {
            guard let string = value.string, string.utf8.count <= length else { throw .field(place(key)) }
            strings.append(string)
        }
        return strings
    }
}
