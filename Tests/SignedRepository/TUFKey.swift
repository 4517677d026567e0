import Cryptography
import Encoding

/// A key of a repository in a test; the same name makes the same key.
package struct TUFKey: Sendable {
    package let identifier: String
    private let key: SigningKey

    package init(_ name: String) throws {
        key = try SigningKey(rawPrivate: SHA256.hash(Array("test key \(name)".utf8)), curve: .ed25519)
        identifier = Hex.encode(SHA256.hash(Array(name.utf8)))
    }

    private init(_ key: SigningKey, called identifier: String) {
        self.key = key
        self.identifier = identifier
    }

    /// The same key by another name.
    package func called(_ identifier: String) -> TUFKey { TUFKey(key, called: identifier) }

    /// As metadata lists it.
    package var json: JSON {
        ["keytype": "ed25519", "scheme": "ed25519", "keyval": ["public": .string(Hex.encode(key.publicKey.x))]]
    }

    package func signature(over bytes: [UInt8]) throws -> JSON {
        ["keyid": .string(identifier), "sig": .string(Hex.encode(try key.sign(bytes)))]
    }
}
