import Encoding
import Foundation
import Testing
@testable import Attestation

/// What a site writes down of the keys that it takes.
@Suite struct AttestationPolicyTests {
    private let signer = String(repeating: "a5", count: 32)

    @Test("Settings as people write them")
    func settings() throws {
        let colons = stride(from: 0, to: 64, by: 2).map { _ in "A5" }.joined(separator: ":")
        for text in [signer, signer.uppercased(), colons] {
            let policy = try AttestationPolicy(applicationNames: ["org.example.gate"], signerDigests: [text])
            #expect(policy.signers == [[UInt8](repeating: 0xA5, count: 32)])
            #expect(policy.roots == AttestationPolicy.googleRoots)
            #expect(policy.longestTimeout == AttestationPolicy.usualTimeout)
            #expect(!policy.wantsStrongBox)
        }
        let policy = try AttestationPolicy(applicationNames: ["org.example.gate"], signerDigests: [signer], rootDigests: ["google", signer])
        #expect(policy.roots == AttestationPolicy.googleRoots.union([[UInt8](repeating: 0xA5, count: 32)]))
        #expect(try AttestationPolicy(applicationNames: ["a.b"], signerDigests: [signer], rootDigests: [signer]).roots.count == 1)
    }

    @Test("Settings that mean nothing are refused")
    func faults() {
        func fault(_ applications: [String] = ["a.b"], _ signers: [String]? = nil, _ roots: [String] = ["google"],
                   timeout: Int64 = 60) -> AttestationPolicyFault? {
            do throws(AttestationPolicyFault) {
                _ = try AttestationPolicy(applicationNames: applications, signerDigests: signers ?? [signer], rootDigests: roots, longestTimeout: timeout)
                return nil
            } catch {
                return error
            }
        }
        #expect(fault() == nil)
        for applications in [[], [""], ["gate"], ["org.example gate"], ["org.example.gate", "ö.b"]] { #expect(fault(applications) == .applications) }
        for signers in [[], [""], ["a5"], [signer + "00"], [signer, "google"]] { #expect(fault(["a.b"], signers) == .signers) }
        for roots in [[], ["Google"], ["a5"], [signer, ""]] { #expect(fault(["a.b"], nil, roots) == .roots) }
        for timeout in [0, -1, 3601, .max] as [Int64] { #expect(fault(timeout: timeout) == .timeout) }
    }

    @Test("Google has two keys at its roots")
    func googleRoots() {
        #expect(AttestationPolicy.googleRoots.count == 2)
        #expect(AttestationPolicy.googleRoots.allSatisfy { $0.count == 32 })
    }

    @Test("Google's list of what was taken back")
    func status() throws {
        let folder = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let list = try RevokedSerials(status: [UInt8](Data(contentsOf: folder.appending(path: "Vectors/status.json"))))
        #expect(list.count == 5)
        #expect(list.contains(try Hex.decode("06681152659205225093")))
        #expect(list.contains(try Hex.decode("00cc66e9a93713b6e643b26c15879786f7")), "suspended is as good as revoked, and zeros before a number say nothing")
        #expect(!list.contains([1]))
    }

    @Test("A list that is written otherwise is none: nobody is taken for not revoked by mistake", arguments: [
        "", "{}", "[]", #"{"entries": []}"#, #"{"entries": {"xyz": {"status": "REVOKED"}}}"#, #"{"entries": {"ab": "REVOKED"}}"#, #"{"entries": {"ab": {}}}"#
    ])
    func otherLists(_ text: String) {
        #expect(throws: AttestationPolicyFault.revocations) { try RevokedSerials(status: Array(text.utf8)) }
    }
}
