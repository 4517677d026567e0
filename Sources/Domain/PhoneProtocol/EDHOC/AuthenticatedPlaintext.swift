import Encoding

/// PLAINTEXT_2 or PLAINTEXT_3 in parts (RFC 9528, 5.3.2 and 5.4.2):
/// `(? C_R, ID_CRED_x / bstr / -24..23, Signature_or_MAC_x, ? EAD_x)`.
package struct AuthenticatedPlaintext {
    /// C_R on the wire; empty in message_3.
    package let connectionIdentifier: [UInt8]
    /// C_R itself, where it was read.
    package let readConnectionIdentifier: [UInt8]
    package let identifier: CredentialIdentifier
    package let proof: [UInt8]
    /// EAD_x as received: these bytes enter MAC and signature.
    package let eadField: [UInt8]
    package let ead: [EADItem]
    /// The whole plaintext, which enters the next transcript hash.
    package let bytes: [UInt8]

    /// Takes a decrypted message apart. The proof must have exactly the length that method and
    /// suite give it.
    package init(parsing bytes: [UInt8], hasConnectionIdentifier: Bool, proofLength: Int) throws(EDHOCError) {
        // Credentials of others need not be deterministic inside; everything around them is checked.
        var reader = CBORReader(bytes, rules: .wellFormed)
        if hasConnectionIdentifier {
            let part = try Self.next(&reader, "C_R")
            guard let identifier = CompactIdentifier.decode(part.item),
                  identifier.count <= EDHOCLimits.maximumConnectionIdentifier,
                  part.raw == CompactIdentifier.encode(identifier)
            else { throw .malformed("C_R") }
            connectionIdentifier = part.raw
            readConnectionIdentifier = identifier
        } else {
            connectionIdentifier = []
            readConnectionIdentifier = []
        }
        let named = try Self.next(&reader, "ID_CRED")
        identifier = try CredentialIdentifier(wire: named.item, raw: named.raw)
        let proven = try Self.next(&reader, "Signature_or_MAC")
        guard let proof = proven.item.bytes, proof.count == proofLength,
              proven.raw.count == proofLength + [UInt8].headLength(proofLength)
        else { throw .malformed("Signature_or_MAC") }
        self.proof = proof
        eadField = Array(bytes[reader.offset...])
        ead = try EADItem.decode(eadField)
        self.bytes = bytes
    }

    /// What it says, unproven.
    var claim: EDHOCClaim {
        EDHOCClaim(connectionIdentifier: readConnectionIdentifier, identifier: identifier, ead: ead)
    }

    /// Puts a plaintext together.
    package init(connectionIdentifier: [UInt8], identifier: CredentialIdentifier, proof: [UInt8], eadField: [UInt8]) {
        self.connectionIdentifier = connectionIdentifier
        readConnectionIdentifier = []
        self.identifier = identifier
        self.proof = proof
        self.eadField = eadField
        ead = []
        var bytes = connectionIdentifier + identifier.wire
        bytes.reserveCapacity(bytes.count + proof.count + eadField.count + 3)
        bytes.appendByteString(proof)
        bytes.append(contentsOf: eadField)
        self.bytes = bytes
    }

    private static func next(_ reader: inout CBORReader, _ field: String) throws(EDHOCError) -> (item: CBOR, raw: [UInt8]) {
        guard !reader.isAtEnd, let part = try? reader.nextRaw() else { throw .malformed(field) }
        return part
    }
}
