import COpenSSL
import Credentials
import Cryptography
import PhoneProtocol
import VirtualPhone

extension BareExchange {
    /// The bare work of a tap with this phone in a suite. `steps` are those of a real tap: the lengths come from there.
    static func of(_ identity: PhoneIdentity, in suite: CipherSuite, steps: [PhoneStep], issuer: SigningKey) throws -> BareExchange {
        guard let membership = identity.memberships.first, case .signing(let key) = membership.key else {
            throw BenchError("only phones that sign are measured")
        }
        // message_3 is a byte string; its parts come with a status word each.
        let message3 = steps.dropFirst().prefix { $0.command[1] != PhoneProtocolProfile.outcomeInstruction }
            .reduce(0) { $0 + $1.response.count - 2 }
        let plaintext = message3 - (message3 > 257 ? 3 : 2) - suite.aead.tagLength
        switch membership.credential {
        case .token(let bytes):
            let parsed = try COSESign1(parsing: bytes)
            let token = (parsed.toBeSigned(), try der(parsed.signature))
            return try BareExchange(
                try material(suite.aead, plaintext: plaintext, identifier: bytes.count + 4, credential: bytes.count, key: key, token: token),
                issuerPoint: try point(issuer.publicKey))
        case .keyIdentifier(let identifier, let claims):
            return try BareExchange(
                try material(suite.aead, plaintext: plaintext, identifier: identifier.count + 3, credential: claims.count, key: key, token: nil),
                issuerPoint: nil)
        case .tokenReference(let bytes):
            return try BareExchange(
                try material(suite.aead, plaintext: plaintext, identifier: TokenIdentifier.referenceLength + 3, credential: bytes.count, key: key,
                             token: nil),
                issuerPoint: nil)
        case .claims:
            throw BenchError("this kind of phone is not measured")
        }
    }

    private static let transcript = 34
    private static let proof = 66

    /// Inputs of the lengths that RFC 9528, 5.4.2 gives them.
    private static func material(
        _ aead: AEADAlgorithm, plaintext: Int, identifier: Int, credential: Int, key: SigningKey, token: (toBeSigned: [UInt8], signature: [UInt8])?
    ) throws -> Material {
        // By value the identifier stands in the plaintext whole, by reference as its bytes alone.
        let named = token == nil ? identifier - 2 : identifier
        let ead = plaintext - named - proof
        guard ead > 0 else { throw BenchError("message_3 is shorter than its parts") }
        let context = identifier + transcript + credential + ead
        let toBeSigned = RandomBytes.make(12 + identifier + 2 + 3 + context - identifier + transcript)
        return Material(
            aead: aead, plaintext: RandomBytes.make(plaintext), macInput: RandomBytes.make(1 + 3 + context + 2 + 1),
            toBeSigned: toBeSigned, transcriptInput: RandomBytes.make(transcript + plaintext + credential),
            phonePoint: try point(key.publicKey), phoneSignature: try der(key.sign(toBeSigned)), token: token)
    }

    private static func point(_ key: PublicKey) throws(BenchError) -> [UInt8] {
        guard let y = key.y else { throw BenchError("a key without y") }
        return [0x04] + key.x + y
    }

    private static func der(_ raw: [UInt8]) throws(BenchError) -> [UInt8] {
        guard raw.count == 64, let signature = ECDSA_SIG_new() else { throw BenchError("no ES256 signature") }
        defer { ECDSA_SIG_free(signature) }
        guard ECDSA_SIG_set0(signature, BN_bin2bn(raw, 32, nil), BN_bin2bn(Array(raw[32...]), 32, nil)) == 1 else {
            throw BenchError("libcrypto cannot take a signature")
        }
        let encoded = [UInt8](unsafeUninitializedCapacity: 80) { buffer, count in
            var end = buffer.baseAddress
            count = max(0, Int(i2d_ECDSA_SIG(signature, &end)))
        }
        guard !encoded.isEmpty else { throw BenchError("libcrypto cannot encode a signature") }
        return encoded
    }
}
