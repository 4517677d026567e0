import Cryptography
import Encoding
@testable import Attestation

/// A site that takes the tests' chains, and what it says to one.
struct AttestationBench {
    var plan: ChainPlan
    var policy: AttestationPolicy
    var challenge: [UInt8]
    /// 2026-01-01.
    var now: Int64 = 1_767_225_600

    init(_ plan: ChainPlan) {
        self.plan = plan
        challenge = plan.record.challenge
        policy = AttestationPolicy(applications: ["org.example.gate"], signers: Set(plan.record.signers),
                                   roots: [SHA256.hash(ChainPlan.information(plan.root.key.publicKey))])
    }

    init() throws { self.init(try ChainPlan()) }

    func judge(_ chain: [[UInt8]]) throws(AttestationFault) -> AttestedKey {
        try Attestation.judge(chain: chain, challenge: challenge, key: plan.certificates[0].key.publicKey, policy: policy, now: now)
    }

    /// What the site says to the chain as it is planned now.
    func judge() throws -> AttestedKey { try judge(try plan.der()) }

    /// Why the site refuses the chain as it is planned now; nil if it takes it.
    func fault() throws -> AttestationFault? { fault(try plan.der()) }

    func fault(_ chain: [[UInt8]]) -> AttestationFault? {
        do throws(AttestationFault) {
            _ = try judge(chain)
            return nil
        } catch {
            return error
        }
    }
}
