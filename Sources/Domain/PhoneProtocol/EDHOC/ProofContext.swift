import Cryptography

/// Everything that Signature_or_MAC_2 or Signature_or_MAC_3 vouches for (RFC 9528, 5.3.2, 5.4.2).
struct ProofContext {
    /// C_R on the wire in message_2, nothing in message_3.
    var prefix: [UInt8] = []
    /// ID_CRED_x, as a map.
    let identifier: [UInt8]
    /// TH_2 or TH_3.
    let transcript: [UInt8]
    /// CRED_x.
    let credential: [UInt8]
    /// EAD_2 or EAD_3, as on the wire.
    let ead: [UInt8]

    /// context_2 or context_3.
    var context: [UInt8] {
        var context: [UInt8] = []
        context.reserveCapacity(prefix.count + identifier.count + transcript.count + credential.count + ead.count + 2)
        context.append(contentsOf: prefix)
        context.append(contentsOf: identifier)
        context.appendByteString(transcript)
        context.append(contentsOf: credential)
        context.append(contentsOf: ead)
        return context
    }

    /// MAC_2 or MAC_3.
    func mac(_ prk: [UInt8], _ label: KeySchedule.Label, length: Int) -> [UInt8] {
        KeySchedule.derive(prk, label, context: context, length: length)
    }

    /// Sig_structure of RFC 9052, 4.4 with protected = << ID_CRED_x >>, external_aad =
    /// << TH, CRED_x, ? EAD >> and the MAC as payload.
    func toBeSigned(mac: [UInt8]) -> [UInt8] {
        let head = [UInt8].headLength(transcript.count)
        let external = head + transcript.count + credential.count + ead.count
        var structure: [UInt8] = []
        structure.reserveCapacity(Self.signatureHead.count + identifier.count + external + mac.count + 10)
        structure.append(contentsOf: Self.signatureHead)
        structure.appendByteString(identifier)
        structure.appendHead(major: 2, UInt64(external))
        structure.appendByteString(transcript)
        structure.append(contentsOf: credential)
        structure.append(contentsOf: ead)
        structure.appendByteString(mac)
        return structure
    }

    /// The head of the array, and its first item.
    private static let signatureHead: [UInt8] = [0x84, 0x6A] + Array("Signature1".utf8)

    /// Signature_or_MAC as the holder of the key makes it, from MAC_2 or MAC_3.
    func prove(mac: [UInt8], key: AuthenticationKey) throws(EDHOCError) -> [UInt8] {
        switch key {
        case .agreement: return mac
        case .signing(let key):
            do { return try key.sign(toBeSigned(mac: mac)) } catch { throw .cryptography(error.code) }
        }
    }

    /// Whether Signature_or_MAC was made by the holder of the peer's key, given MAC_2 or MAC_3.
    func verify(_ proof: [UInt8], mac: [UInt8], signedBy key: PublicKey?) -> Bool {
        guard let key else { return ConstantTime.equal(proof, mac) }
        return key.verify(proof, over: toBeSigned(mac: mac))
    }
}
