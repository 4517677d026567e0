import Cryptography
import Encoding
import SiteData

/// A file of metadata: the signed part and its signatures.
struct MetadataFile {
    /// One signature.
    struct Signature: Hashable {
        let keyIdentifier: String
        let bytes: [UInt8]

        var json: JSON { ["keyid": .string(keyIdentifier), "sig": .string(Hex.encode(bytes))] }
    }

    let signed: JSONObject
    private(set) var signatures: [Signature] = []

    init(_ signed: JSONObject) { self.signed = signed }

    /// What keys sign. Nothing of ours has a number without a signed form.
    static func signedForm(_ signed: JSONObject) -> [UInt8] {
        guard let form = JSON.object(signed).signedForm else { preconditionFailure("metadata has whole numbers only") }
        return form
    }

    /// The SHA-256 of what keys sign.
    static func digest(_ signed: JSONObject) -> [UInt8] { JSON.object(signed).signedForm.map(SHA256.hash) ?? [] }

    /// Signs with a key; once with each.
    mutating func sign(with key: SigningKey) throws(AuthorityError) {
        let identifier = key.publicKey.metadataIdentifier
        do throws(CryptographyError) {
            add(Signature(keyIdentifier: identifier, bytes: try key.sign(Self.signedForm(signed))))
        } catch {
            throw .cryptography(error)
        }
    }

    /// Adds the signature of somebody else.
    mutating func add(_ signature: Signature) {
        guard !signatures.contains(where: { $0.keyIdentifier == signature.keyIdentifier }) else { return }
        signatures.append(signature)
    }

    /// The bytes of the file.
    var bytes: [UInt8] {
        Array(JSON.object(["signatures": .array(signatures.map(\.json)), "signed": .object(signed)]).text.utf8)
    }

    /// The signed part of a file that was written or read before.
    static func signed(in bytes: [UInt8]) -> JSONObject? { (try? JSON.parse(bytes))?["signed"]?.object }
}

extension JSONObject {
    /// The version of metadata.
    var version: Int64 { self["version"]?.integer ?? 0 }
    /// The first second at which it counts no more, UNIX time.
    var expires: Int64 { self["expires"]?.string.flatMap(UTCText.readSeconds) ?? 0 }
    /// When it was signed, UNIX seconds.
    var issued: Int64 { self[SignedPart.issued]?.string.flatMap(UTCText.readSeconds) ?? 0 }

    /// The identifiers of a role's keys as a root, or the role that delegates to people, has them, and how many must sign.
    func keys(of role: RepositoryRole) -> (identifiers: [String], threshold: Int) {
        let found = role.delegator == .root
            ? self["roles"]?[role.rawValue]
            : self["delegations"]?["roles"]?.array?.first { $0["name"]?.string == role.rawValue }
        return (found?["keyids"]?.array?.compactMap(\.string) ?? [], Int(found?["threshold"]?.integer ?? 1))
    }
}
