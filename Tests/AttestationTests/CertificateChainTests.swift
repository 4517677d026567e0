import Cryptography
import Encoding
import Testing
@testable import Attestation

/// Chains of certificates, and how they are written.
@Suite struct CertificateChainTests {
    private var bench: AttestationBench

    init() throws { bench = try AttestationBench() }

    @Test("Nine certificates, or two, are no chain", arguments: [0, 1, 2, 9, 100])
    func otherLengths(count: Int) throws {
        let chain = try bench.plan.der()
        #expect(bench.fault(Array(repeating: chain[0], count: count)) == .chainLength(count))
    }

    @Test("A certificate of more bytes than any phone's")
    func longCertificate() throws {
        var chain = try bench.plan.der()
        chain[1] = [UInt8](repeating: 0x30, count: Certificate.longest + 1)
        #expect(bench.fault(chain) == .certificateTooLong(number: 2))
    }

    @Test("Bytes stand behind a certificate, or it ends too early", arguments: 0..<4)
    func trailingBytes(place: Int) throws {
        let chain = try bench.plan.der()
        for other in [chain[place] + [0], chain[place] + chain[place], Array(chain[place].dropLast()), []] {
            var changed = chain
            changed[place] = other
            #expect(bench.fault(changed) == .certificateMalformed(number: place + 1))
        }
    }

    @Test("Every length of a certificate lies")
    func lengthsThatLie() throws {
        let chain = try bench.plan.der()
        for byte in chain[0].indices {
            for value in [0x00, 0x7F, 0x80, 0x81, 0x82, 0x84, 0xFF] as [UInt8] where chain[0][byte] != value {
                var changed = chain
                changed[0][byte] = value
                #expect(bench.fault(changed) != nil, "byte \(byte)")
            }
        }
    }

    @Test("The record goes on behind its end")
    mutating func recordWithTrailingBytes() throws {
        bench.plan.hasRecord = false
        let record = bench.plan.record.bytes
        for value in [record + [0], Array(record.dropLast()), [], [0x30, 0x00], record + record] {
            bench.plan.certificates[0].extensions = [CertificatePlan.extensionOf(CertificatePlan.recordIdentifier, value)]
            #expect(try bench.fault() == .recordMalformed)
        }
    }

    @Test("A certificate is over, or not valid yet", arguments: [1, 2])
    mutating func times(place: Int) throws {
        bench.plan.certificates[place].until = "251231235959Z"
        #expect(try bench.fault() == .expired(number: place + 1))
        bench.now -= 1
        #expect(try bench.fault() == nil)
        bench.plan.certificates[place].from = "251231235958Z"
        bench.now -= 1
        #expect(try bench.fault() == nil)
        bench.now -= 1
        #expect(try bench.fault() == .notYetValid(number: place + 1))
    }

    @Test("A time that does not exist is none", arguments: ["250230000000Z", "2502010000Z", "250201000000+0000", "2502010000000", "25020100000aZ"])
    mutating func noTime(_ text: String) throws {
        bench.plan.certificates[1].from = text
        #expect(try bench.fault() == .certificateMalformed(number: 2))
    }

    @Test("The times of leaf and root are not asked: the phone writes the one, the site names the other")
    mutating func timesThatSayNothing() throws {
        for place in [0, 3] {
            bench.plan.certificates[place].from = "000101000000Z"
            bench.plan.certificates[place].until = "000102000000Z"
        }
        #expect(try bench.fault() == nil)
    }

    @Test("Factory keys outlive their certificates, and may call themselves no authority; others do neither")
    mutating func factory() throws {
        var factory = AttestationBench(try ChainPlan.ofFactory())
        #expect(try factory.fault() == nil)
        for place in [1, 2] { factory.plan.certificates[place].until = "251231235959Z" }
        #expect(try factory.fault() == nil)
        factory.plan.certificates[1].from = "260102000000Z"
        factory.plan.certificates[1].until = "260103000000Z"
        #expect(try factory.fault() == .notYetValid(number: 2))
        bench.plan.certificates[1].extensions = factory.plan.certificates[1].extensions
        #expect(try bench.fault() == .issuerIsNoAuthority(number: 1))
    }

    @Test("A factory's StrongBox is named in its certificates")
    func factoryStrongBox() throws {
        var factory = AttestationBench(try ChainPlan.ofFactory())
        factory.plan.record.attestationLevel = 2
        factory.plan.record.keyLevel = 2
        #expect(try factory.fault() == .levelsDiffer)
        factory.plan.certificates[1].name = DERWriter.name([(5, "ccce263fd08dac3a"), (12, "StrongBox")])
        #expect(try factory.judge().level == .strongBox)
    }

    @Test("Who is no authority issues nothing", arguments: [2, 3])
    mutating func noAuthority(issuer: Int) throws {
        for extensions in [[], [CertificatePlan.authority(false)], [CertificatePlan.authority(), CertificatePlan.usage(signsCertificates: false)]] {
            bench.plan.certificates[issuer].extensions = extensions
            // The root is its own issuer, and is looked at first.
            #expect(try bench.fault() == .issuerIsNoAuthority(number: issuer == 3 ? 4 : 2))
        }
    }

    @Test("An authority may say how many stand below it")
    mutating func pathLength() throws {
        bench.plan.certificates[2].extensions = [CertificatePlan.authority(pathLength: 1), CertificatePlan.usage()]
        #expect(try bench.fault() == nil)
        bench.plan.certificates[2].extensions = [CertificatePlan.authority(pathLength: 0), CertificatePlan.usage()]
        #expect(try bench.fault() == .issuerIsNoAuthority(number: 2))
        bench.plan.certificates[1].extensions = [CertificatePlan.authority(pathLength: 0), CertificatePlan.usage()]
        bench.plan.certificates[2].extensions = [CertificatePlan.authority(pathLength: 1), CertificatePlan.usage()]
        #expect(try bench.fault() == nil)
    }

    @Test("A critical extension that nobody understands is refused, another one is passed over", arguments: 0..<4)
    mutating func criticalExtension(place: Int) throws {
        let nameConstraints: [UInt8] = [0x55, 0x1D, 0x1E]
        let before = bench.plan.certificates[place].extensions
        bench.plan.certificates[place].extensions = before + [CertificatePlan.extensionOf(nameConstraints, [0x30, 0x00])]
        #expect(try bench.fault() == nil)
        bench.plan.certificates[place].extensions = before + [CertificatePlan.extensionOf(nameConstraints, isCritical: true, [0x30, 0x00])]
        #expect(try bench.fault() == .certificateExtension(number: place + 1))
    }

    @Test("Entries of a list that are there twice, or in another order, are refused")
    func order() {
        let purpose = DERWriter.element(.context(1), DERWriter.set(DERWriter.number(2)))
        let origin = DERWriter.element(.context(702), DERWriter.number(0))
        func record(_ hardware: [UInt8]) -> [UInt8] {
            DERWriter.sequence(DERWriter.number(300), DERWriter.number(1, .enumerated), DERWriter.number(300), DERWriter.number(1, .enumerated),
                               DERWriter.bytes([]), DERWriter.bytes([]), DERWriter.sequence(), DERWriter.element(.sequence, hardware))
        }
        #expect(KeyDescription(record(purpose + origin)) != nil)
        for hardware in [origin + purpose, purpose + purpose, purpose + origin + origin, DERWriter.number(2), purpose + DERWriter.null] {
            #expect(KeyDescription(record(hardware)) == nil)
        }
    }
}
