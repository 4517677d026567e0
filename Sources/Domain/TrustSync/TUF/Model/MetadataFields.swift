import Encoding

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
