import Encoding

/// A file of metadata: what is signed, and by whom it is said to be. Nothing of it is to be believed before
/// the signatures were counted.
public struct SignedMetadata: Sendable {
    /// The signed part.
    let signed: MetadataFields
    /// The bytes that were signed: the signed part in its signed form, unknown members too.
    public let signedBytes: [UInt8]
    /// The signatures, each key at most once.
    public let signatures: [ExactText: MetadataSignature]

    /// Takes a file apart.
    public init(_ file: [UInt8]) throws(MetadataFault) {
        let envelope = try MetadataFields(try Self.parse(file), "file")
        signed = try MetadataFields(envelope.object["signed"], "signed")
        guard let bytes = JSON.object(signed.object).signedForm else { throw .noSignedForm }
        signedBytes = bytes
        signatures = try Self.signatures(envelope)
    }

    private static func parse(_ file: [UInt8]) throws(MetadataFault) -> JSON {
        do throws(JSONError) {
            return try JSON.parse(file, within: MetadataBounds.json)
        } catch {
            throw .json(error)
        }
    }

    /// Two of one key are refused whatever else is there (TUF specification, 4.2.1).
    private static func signatures(_ envelope: MetadataFields) throws(MetadataFault) -> [ExactText: MetadataSignature] {
        var signatures: [ExactText: MetadataSignature] = [:]
        for item in try envelope.array("signatures", atMost: MetadataBounds.signatures) {
            let signature = try MetadataSignature(try MetadataFields(item, envelope.place("signatures")))
            guard signatures.updateValue(signature, forKey: signature.keyIdentifier) == nil else {
                throw .duplicateSignature(keyIdentifier: signature.keyIdentifier.text)
            }
        }
        return signatures
    }
}

/// One signature as a file has it.
public struct MetadataSignature: Hashable, Sendable {
    /// The key it is said to be of.
    public let keyIdentifier: ExactText
    /// Its bytes; empty when its text was no hexadecimal. A bad signature beside enough good ones does no
    /// harm, and repositories leave empty ones for those who have not signed yet.
    public let bytes: [UInt8]

    init(_ fields: MetadataFields) throws(MetadataFault) {
        let identifier = try fields.string("keyid")
        guard identifier.utf8.count <= MetadataBounds.keyIdentifierLength else { throw .field(fields.place("keyid")) }
        keyIdentifier = ExactText(identifier)
        let text = try fields.string("sig")
        bytes = (try? Hex.decode(text)) ?? []
    }
}
