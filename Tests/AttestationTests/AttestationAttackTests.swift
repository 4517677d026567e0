import Cryptography
import Encoding
import Testing
@testable import Attestation

/// What somebody may send to have a key taken that is not what it says (docs/phone-protocol.md, "The key").
@Suite struct AttestationAttackTests {
    private var bench: AttestationBench

    init() throws { bench = try AttestationBench() }

    @Test("What hardware says of a good key")
    func good() throws {
        let key = try bench.judge()
        #expect(key == AttestedKey(level: .trustedEnvironment, authentication: .within(seconds: 30), boot: .verified, patchLevel: 202_611))
        #expect(key.isUserVerified)
    }

    @Test("An attested key signs a certificate for a key of software", arguments: [true, false])
    mutating func chainExtendedByALeaf(hasRecordOfItsOwn: Bool) throws {
        let honest = bench.plan
        bench.plan.certificates.insert(bench.plan.certificates[0], at: 0)
        bench.plan.certificates[0].key = try .generate()
        bench.plan.certificates[0].name = DERWriter.name([(3, "Mallory")])
        // Who is signed by a leaf says what he likes; the honest leaf's own record stays where it was.
        bench.plan.certificates[1].extensions = hasRecordOfItsOwn
            ? [CertificatePlan.extensionOf(CertificatePlan.recordIdentifier, honest.record.bytes)] : []
        let expected: AttestationFault = hasRecordOfItsOwn ? .recordElsewhere(number: 2) : .issuerIsNoAuthority(number: 1)
        #expect(try bench.fault() == expected)
        // The record hidden in the certificate that Google's key signed counts even where its extension is called critical.
        guard hasRecordOfItsOwn else { return }
        bench.plan.certificates[1].extensions = [CertificatePlan.extensionOf(CertificatePlan.recordIdentifier, isCritical: true, honest.record.bytes)]
        #expect(try bench.fault() == .recordElsewhere(number: 2))
        var other = CertificatePlan.recordIdentifier
        other[other.count - 1] = 0x19
        bench.plan.certificates[1].extensions = [CertificatePlan.authority(), CertificatePlan.extensionOf(other, [0xA0])]
        #expect(try bench.fault() == .recordElsewhere(number: 2))
    }

    @Test("A leaf calls itself an authority and signs another one")
    mutating func leafThatCallsItselfAnAuthority() throws {
        bench.plan.certificates.insert(bench.plan.certificates[0], at: 0)
        bench.plan.certificates[0].key = try .generate()
        bench.plan.certificates[1].extensions = [CertificatePlan.authority(), CertificatePlan.usage(signsCertificates: false)]
        #expect(try bench.fault() == .issuerIsNoAuthority(number: 1))
    }

    @Test("The record is there twice")
    mutating func recordTwice() throws {
        bench.plan.certificates[0].extensions.append(CertificatePlan.extensionOf(CertificatePlan.recordIdentifier, RecordPlan().bytes))
        #expect(try bench.fault() == .certificateMalformed(number: 1))
    }

    @Test("The record is not there")
    mutating func noRecord() throws {
        bench.plan.hasRecord = false
        #expect(try bench.fault() == .recordMissing)
    }

    @Test("Certificates of two chains are joined", arguments: 0..<3)
    func spliced(place: Int) throws {
        let other = try AttestationBench().plan.der()
        var chain = try bench.plan.der()
        chain[place] = other[place]
        // The names are the same in both: only keys tell them apart.
        #expect(bench.fault(chain) == .signatureWrong(number: place + 1))
    }

    @Test("The root is somebody else's with Google's name")
    func otherRoot() throws {
        let other = try AttestationBench().plan.der()
        #expect(bench.fault(other) == .rootUnknown)
        var google = bench
        google.policy.roots = AttestationPolicy.googleRoots
        #expect(try google.fault() == .rootUnknown)
    }

    @Test("A certificate says that another one issued it", arguments: 0..<4)
    mutating func otherIssuer(place: Int) throws {
        bench.plan.issuers[place] = DERWriter.name([(3, "Somebody")])
        #expect(try bench.fault() == .namesDiffer(number: place + 1))
    }

    @Test("A certificate is signed by its own key", arguments: 0..<3)
    mutating func signedByItself(place: Int) throws {
        bench.plan.signers[place] = bench.plan.certificates[place].key
        #expect(try bench.fault() == .signatureWrong(number: place + 1))
    }

    @Test("Any bit of any certificate is changed")
    func changedBits() throws {
        let chain = try bench.plan.der()
        for place in chain.indices {
            for byte in chain[place].indices {
                var changed = chain
                changed[place][byte] ^= 1
                #expect(bench.fault(changed) != nil, "byte \(byte) of certificate \(place + 1)")
            }
        }
    }

    @Test("A certificate is left out, there twice, or in another place")
    func otherOrder() throws {
        let chain = try bench.plan.der()
        for place in chain.indices {
            var shorter = chain, longer = chain
            shorter.remove(at: place)
            longer.insert(chain[place], at: place)
            #expect(bench.fault(shorter) != nil)
            // The root signs itself: twice it is longer, and says the same.
            #expect(place == chain.count - 1 || bench.fault(longer) != nil)
        }
        #expect(bench.fault(chain.reversed()) != nil)
    }

    @Test("The key was made for another challenge")
    mutating func otherChallenge() throws {
        for other in [[], bench.challenge + [0], Array(bench.challenge.dropLast()), Array(repeating: 0, count: 32)] {
            bench.challenge = other
            #expect(try bench.fault() == .challengeDiffers)
        }
    }

    @Test("Another key than the attested one asks")
    mutating func otherKey() throws {
        let chain = try bench.plan.der()
        bench.plan.certificates[0].key = try .generate()
        #expect(bench.fault(chain) == .keyDiffers)
    }

    @Test("A certificate was taken back", arguments: 0..<4)
    mutating func revoked(place: Int) throws {
        let serial = UInt64(bench.plan.certificates[place].serial)
        bench.policy.revoked = RevokedSerials([(0..<8).reversed().map { UInt8(truncatingIfNeeded: serial >> (8 * $0)) }])
        #expect(try bench.fault() == .revoked(number: place + 1))
    }
}
