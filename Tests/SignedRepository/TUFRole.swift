import Encoding

/// One role of a repository in a test: what its file says, and who signs it.
package struct TUFRole: Sendable {
    package var body: JSON
    package var signers: [TUFKey]

    /// Metadata that expires at a time, UNIX seconds.
    package init(_ type: String, _ fields: [(String, JSON)], expires: Int64, signers: [TUFKey]) {
        let common: [(String, JSON)] = [
            ("_type", .string(type)), ("spec_version", "1.0.34"), ("version", 1), ("expires", .string(UTCText.make(seconds: expires)))
        ]
        body = .object(JSONObject(common + fields))
        self.signers = signers
    }

    package var version: Int64 {
        get { body["version"]?.integer ?? 0 }
        set { body.set(["version"], .integer(newValue)) }
    }

    package mutating func expire(at seconds: Int64) { body.set(["expires"], .string(UTCText.make(seconds: seconds))) }

    /// The file. A body that has no signed form is signed as python-tuf would refuse to: over nothing.
    package func file() throws -> [UInt8] {
        let signed = body.signedForm ?? []
        var signatures: [JSON] = []
        for signer in signers { signatures.append(try signer.signature(over: signed)) }
        return JSON.object(["signed": body, "signatures": .array(signatures)]).canonical
    }
}

extension JSON {
    /// Sets a value below other ones; nil removes it. What is missing on the way is made.
    package mutating func set(_ path: ArraySlice<String>, _ value: JSON?) {
        guard let first = path.first else { return }
        var object = self.object ?? JSONObject()
        if path.count == 1 {
            object[first] = value
        } else {
            var inner = object[first] ?? .object(JSONObject())
            inner.set(path.dropFirst(), value)
            object[first] = inner
        }
        self = .object(object)
    }

    /// The value below other ones.
    package func at(_ path: String...) -> JSON? {
        var value: JSON? = self
        for key in path { value = value?[key] }
        return value
    }
}
