import PhoneProtocol

/// Any bytes as a decrypted message_2 or message_3: what is accepted is written as it was read, so that both
/// sides hash the same.
func fuzz(_ input: [UInt8]) {
    for (hasConnectionIdentifier, proofLength) in [(true, 8), (true, 64), (false, 8), (false, 16), (false, 64)] {
        guard let plaintext = try? AuthenticatedPlaintext(
            parsing: input, hasConnectionIdentifier: hasConnectionIdentifier, proofLength: proofLength)
        else { continue }
        let written = AuthenticatedPlaintext(
            connectionIdentifier: plaintext.connectionIdentifier, identifier: plaintext.identifier,
            proof: plaintext.proof, eadField: plaintext.eadField)
        precondition(written.bytes == input, "a plaintext is written as it was read")
    }
}
