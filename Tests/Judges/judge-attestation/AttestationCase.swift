import Attestation
import Cryptography
import Encoding

/// One question: bytes in hexadecimal, the key as a SubjectPublicKeyInfo, and what the site takes. Without `roots` they are Google's.
struct AttestationCase {
    struct Incomplete: Error {}

    private let chain: [[UInt8]]
    private let challenge: [UInt8]
    private let key: PublicKey
    private let policy: AttestationPolicy
    private let now: Int64

    init(_ question: JSON) throws {
        guard let chain = question["chain"]?.array, let challenge = question["challenge"]?.string, let key = question["key"]?.string,
              let application = question["application"]?.string, let signer = question["signer"]?.string,
              let now = question["now"]?.integer else { throw Incomplete() }
        self.chain = try chain.map { try Hex.decode($0.string ?? "?") }
        self.challenge = try Hex.decode(challenge)
        self.key = try PublicKey(anyP256SubjectPublicKeyInfo: try Hex.decode(key))
        self.now = now
        let roots = question["root"]?.string.map { [$0] } ?? [AttestationPolicy.google]
        var policy = try AttestationPolicy(applicationNames: [application], signerDigests: [signer], rootDigests: roots,
                                           wantsStrongBox: question["strongbox"]?.bool ?? false)
        if let revoked = question["revoked"]?.string { policy.revoked = RevokedSerials([try Hex.decode(revoked)]) }
        self.policy = policy
    }

    var verdict: JSON {
        do throws(AttestationFault) {
            let key = try Attestation.judge(chain: chain, challenge: challenge, key: key, policy: policy, now: now)
            return ["result": "attested", "level": JSON(key.level.rawValue), "uv": JSON(key.isUserVerified), "patch": JSON(key.patchLevel ?? 0)]
        } catch {
            return ["result": "refused", "code": .string(error.code)]
        }
    }
}
