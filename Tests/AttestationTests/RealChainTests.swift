import Cryptography
import Credentials
import Encoding
import Foundation
import Testing
@testable import Attestation

/// Attestations that real phones made (Vectors/README.md).
@Suite struct RealChainTests {
    /// One of them, when it is judged, the site's app and its signer, and what the site says.
    struct Case: CustomTestStringConvertible, Sendable {
        let file: String
        let time: String
        var application = "com.google.android.attestation"
        var signer = "103938ee4537e59e8ee792f654504fb8346fc6b346d0bbc4415fc339fcfc8ec1"
        let fault: AttestationFault?

        var testDescription: String { file }
    }

    private static let collector = "com.google.wireless.android.security.attestationverifier.collector"

    static let cases = [
        // Three years old when it was made; the certificate of its factory ended some days before.
        Case(file: "sony-tee-ec", time: "2026-06-04T15:00:00Z", application: "com.android.vending",
             signer: "f0fd6c5b410f25cb25c3b53346c8972fae30f8ee7411df910480ad6b2d60db83", fault: nil),
        Case(file: "sony-tee-ec", time: "2016-05-26T17:00:00Z", fault: .notYetValid(number: 3)),
        Case(file: "sony-tee-ec", time: "2026-06-04T15:00:00Z", fault: .applicationDiffers),
        // Google's collector makes keys that check signatures too.
        Case(file: "pixel9a-tee-ec-p384-root", time: "2026-02-24T01:00:00Z", fault: .purposeDiffers),
        Case(file: "pixel9a-tee-ec-p384-root", time: "2026-03-09T00:00:00Z", fault: .expired(number: 2)),
        Case(file: "pixel9a-tee-ec-p384-root", time: "2026-02-09T00:00:00Z", fault: .notYetValid(number: 4)),
        Case(file: "pixel9a-strongbox-ec-p384-root", time: "2026-02-25T01:00:00Z", fault: .purposeDiffers),
        Case(file: "pixel9pro-tee-ec", time: "2025-09-26T16:00:00Z", fault: .purposeDiffers),
        Case(file: "pixel9pro-strongbox-ec", time: "2025-09-26T16:00:00Z", fault: .purposeDiffers),
        Case(file: "pixel8a-tee-ec-unlocked", time: "2024-09-26T23:00:00Z", application: collector, fault: .bootUnlocked),
        Case(file: "pixel3-tee-ec-unlocked", time: "2026-11-25T00:00:00Z", application: collector, fault: .bootUnlocked),
        Case(file: "pixel8a-tee-rsa-userauth", time: "2024-09-26T23:00:00Z", application: collector, fault: .keyDiffers),
        Case(file: "pixel3-strongbox-rsa-userauth", time: "2026-11-25T00:00:00Z", application: collector, fault: .keyDiffers),
        Case(file: "pixel9-tee-mldsa", time: "2026-04-28T14:00:00Z", fault: .keyDiffers),
        Case(file: "pixelxl-software-root", time: "2019-10-29T00:00:00Z", application: collector, fault: .rootUnknown),
        Case(file: "malformed-device-locked", time: "2025-08-01T00:00:00Z", fault: .recordMalformed),
        Case(file: "tags-not-ascending", time: "2025-08-01T00:00:00Z", fault: .recordMalformed),
        Case(file: "test-root-p256-sha384", time: "2025-08-01T00:00:00Z", fault: .recordMalformed),
        Case(file: "allow-while-on-body", time: "2025-08-01T00:00:00Z", fault: .chainLength(1)),
        Case(file: "sample-ec-securitylevel-tee", time: "2018-12-01T00:00:00Z", fault: .purposeDiffers),
        Case(file: "sample-ec-securitylevel-strongbox", time: "2018-12-01T00:00:00Z", fault: .rootUnknown),
        Case(file: "sample-rsa-securitylevel-tee", time: "2018-12-01T00:00:00Z", fault: .keyDiffers),
        Case(file: "sample-rsa-securitylevel-strongbox", time: "2018-12-01T00:00:00Z", fault: .rootUnknown)
    ]

    static func chain(_ file: String) throws -> [[UInt8]] {
        let folder = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let text = try String(contentsOf: folder.appending(path: "Vectors/\(file).pem"), encoding: .utf8)
        return try text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().map { block in
            let inside = try #require(block.components(separatedBy: "-----END CERTIFICATE-----").first)
            return try Base64.decode(inside.filter { !$0.isWhitespace })
        }
    }

    private static let someKey = try? SigningKey.generate().publicKey

    /// What a site says to one whose key, where it is on P-256, and whose challenge are what was asked for.
    private func verdict(_ one: Case, challenge: [UInt8]? = nil,
                         change: (inout AttestationPolicy) -> Void = { _ in }) throws -> Result<AttestedKey, AttestationFault> {
        let chain = try Self.chain(one.file)
        let leaf = try Certificate(chain[0], number: 1)
        let key = try #require(PublicKey(p256SubjectPublicKeyInfo: leaf.keyInformation) ?? Self.someKey)
        var policy = try AttestationPolicy(applicationNames: [one.application], signerDigests: [one.signer])
        change(&policy)
        let record = KeyDescription(leaf.extensions.attestation ?? [])
        let now = try #require(UTCText.readSeconds(one.time))
        do throws(AttestationFault) {
            return .success(try Attestation.judge(chain: chain, challenge: challenge ?? record?.challenge ?? [], key: key, policy: policy, now: now))
        } catch {
            return .failure(error)
        }
    }

    @Test("Real phones' attestations", arguments: cases)
    func real(_ one: Case) throws {
        switch try verdict(one) {
        case .success(let key):
            #expect(one.fault == nil)
            #expect(key == AttestedKey(level: .trustedEnvironment, authentication: .notRequired, boot: .verified, patchLevel: 202_307))
        case .failure(let fault):
            #expect(fault == one.fault)
        }
    }

    @Test("A real attestation counts for its challenge, its roots and unrevoked certificates alone")
    func realButOtherwise() throws {
        let good = try #require(Self.cases.first)
        #expect(try verdict(good, challenge: Array("other".utf8)) == .failure(.challengeDiffers))
        #expect(try verdict(good) { $0.roots = [[UInt8](repeating: 0, count: 32)] } == .failure(.rootUnknown))
        let intermediate = try Hex.decode("03882667606589968575")
        #expect(try verdict(good) { $0.revoked = RevokedSerials([intermediate]) } == .failure(.revoked(number: 3)))
        #expect(try verdict(good) { $0.wantsStrongBox = true } == .failure(.noStrongBox))
    }

    /// A phone of 2018, before it was sold: its leaf names the issuer of its issuer, and NULL stands after ECDSA, which has no parameters
    /// (RFC 5758, 3.2).
    @Test("A chain that is none is refused below its own root too")
    func chainThatIsNone() throws {
        let chain = try Self.chain("sample-ec-securitylevel-strongbox")
        #expect(try Certificate(chain[0], number: 1).algorithm == nil)
        let root = try Certificate(try #require(chain.last), number: 4).keyInformation
        let policy = AttestationPolicy(applications: [], signers: [], roots: [SHA256.hash(root)])
        let time = try #require(UTCText.readSeconds("2018-12-01T00:00:00Z"))
        #expect(throws: AttestationFault.namesDiffer(number: 1)) { try CertificateChain(chain, policy: policy).check(now: time) }
    }

    @Test("Every chain that Google's roots signed is one, each signature of it in its own algorithm", arguments: [
        "sony-tee-ec", "pixel9a-tee-ec-p384-root", "pixel9a-strongbox-ec-p384-root", "pixel9pro-tee-ec", "pixel9pro-strongbox-ec",
        "pixel8a-tee-ec-unlocked", "pixel8a-tee-rsa-userauth", "pixel3-tee-ec-unlocked", "pixel3-strongbox-rsa-userauth", "pixel9-tee-mldsa",
        "sample-ec-securitylevel-tee", "sample-rsa-securitylevel-tee"
    ])
    func signatures(_ file: String) throws {
        let one = try #require(Self.cases.first { $0.file == file })
        let time = try #require(UTCText.readSeconds(one.time))
        let policy = AttestationPolicy(applications: [], signers: [])
        var chain = try Self.chain(file)
        try CertificateChain(chain, policy: policy).check(now: time)
        // The signature is the last that a certificate has.
        for place in chain.indices {
            chain[place][chain[place].count - 1] ^= 1
            #expect(throws: AttestationFault.signatureWrong(number: place + 1)) { try CertificateChain(chain, policy: policy).check(now: time) }
            chain[place][chain[place].count - 1] ^= 1
        }
    }

    @Test("Keys that certify attestations are no keys of phones")
    func noPhoneKeys() throws {
        let keys = try Self.chain("pixel9a-tee-ec-p384-root").map { try Certificate($0, number: 1).keyInformation }
        #expect(throws: Never.self) { try PhoneKey(parsing: keys[0]) }
        #expect(throws: PhoneKeyError.wrongCurve) { try PhoneKey(parsing: keys[4]) }
        let rsa = try Certificate(try #require(try Self.chain("sony-tee-ec").last), number: 4).keyInformation
        #expect(throws: PhoneKeyError.wrongCurve) { try PhoneKey(parsing: rsa) }
    }
}
