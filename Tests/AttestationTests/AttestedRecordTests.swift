import Cryptography
import Encoding
import Testing
@testable import Attestation

/// What hardware must say of a key, and what it must not.
@Suite struct AttestedRecordTests {
    private var bench: AttestationBench

    init() throws { bench = try AttestationBench() }

    @Test("The key is software's", arguments: [(0, 0), (0, 1), (1, 0)] as [(Int64, Int64)])
    mutating func softwareLevel(attestation: Int64, key: Int64) throws {
        bench.plan.record.attestationLevel = attestation
        bench.plan.record.keyLevel = key
        #expect(try bench.fault() == .softwareLevel)
    }

    @Test("A level that nobody knows is none")
    mutating func unknownLevel() throws {
        bench.plan.record.keyLevel = 3
        #expect(try bench.fault() == .recordMalformed)
    }

    @Test("The key claims a StrongBox that its certificates do not name")
    mutating func claimedStrongBox() throws {
        bench.plan.record.attestationLevel = 2
        #expect(try bench.fault() == .levelsDiffer)
        bench.plan.record.keyLevel = 2
        #expect(try bench.fault() == .levelsDiffer)
        bench.plan.certificates[1].name = DERWriter.name([(10, "StrongBox")])
        #expect(try bench.judge().level == .strongBox)
        bench.plan.record.attestationLevel = 1
        bench.plan.record.keyLevel = 1
        #expect(try bench.fault() == .levelsDiffer)
    }

    @Test("A site that wants a StrongBox takes nothing less")
    mutating func wantedStrongBox() throws {
        bench.policy.wantsStrongBox = true
        #expect(try bench.fault() == .noStrongBox)
    }

    @Test("The key does more than sign", arguments: [[], [2, 3], [3], [7], [2, 2], [0, 2]] as [[Int64]])
    mutating func purposes(_ purposes: [Int64]) throws {
        bench.plan.record.hardware[1] = DERWriter.element(.set, purposes.flatMap { DERWriter.number($0) })
        #expect(try bench.fault() == .purposeDiffers)
    }

    @Test("The key was brought in", arguments: [1, 2, 3, 4] as [Int64])
    mutating func origin(_ origin: Int64) throws {
        bench.plan.record.hardware[702] = DERWriter.number(origin)
        #expect(try bench.fault() == .keyImported)
    }

    @Test("What the phone's system says stands for nothing that hardware must say", arguments: [1, 702, 704])
    mutating func onlySoftware(tag: Int) throws {
        bench.plan.record.software[tag] = bench.plan.record.hardware.removeValue(forKey: tag)
        #expect(try bench.fault() == [1: .purposeDiffers, 702: .keyImported, 704: .bootUnknown][tag])
    }

    @Test("User authentication that only the phone's system keeps is none")
    mutating func softwareAuthentication() throws {
        for tag in [504, 505] { bench.plan.record.software[tag] = bench.plan.record.hardware.removeValue(forKey: tag) }
        #expect(try bench.judge().authentication == .notRequired)
    }

    @Test("A key without user authentication is attested, and says nothing of its user")
    mutating func noAuthentication() throws {
        bench.plan.record.hardware[504] = nil
        bench.plan.record.hardware[505] = nil
        bench.plan.record.hardware[503] = DERWriter.null
        #expect(try bench.judge().isUserVerified == false)
        bench.plan.record.hardware[504] = DERWriter.number(0)
        #expect(try bench.judge().isUserVerified == false)
    }

    @Test("The key wants user authentication, and does without", arguments: [503, 506])
    mutating func unclearAuthentication(tag: Int) throws {
        bench.plan.record.hardware[tag] = DERWriter.null
        #expect(try bench.fault() == .authenticationUnclear)
    }

    @Test("How long a key signs for after its user was verified")
    mutating func timeouts() throws {
        let longest = bench.policy.longestTimeout
        bench.plan.record.hardware[505] = DERWriter.number(longest)
        #expect(try bench.judge().authentication == .within(seconds: longest))
        for seconds in [longest + 1, 0x7FFF_FFFF] {
            bench.plan.record.hardware[505] = DERWriter.number(seconds)
            #expect(try bench.fault() == .timeoutTooLong(seconds: seconds))
        }
        bench.plan.record.hardware[505] = nil
        bench.plan.record.hardware[504] = DERWriter.number(0xFFFF_FFFF)
        #expect(try bench.judge().authentication == .everyUse)
    }

    @Test("Every app may use the key")
    mutating func anyApplication() throws {
        bench.plan.record.hardware[600] = DERWriter.null
        #expect(try bench.fault() == .anyApplication)
    }

    @Test("The boot loader is unlocked, or starts other software")
    mutating func boot() throws {
        bench.plan.record.hardware[704] = RecordPlan.boot(isLocked: false)
        #expect(try bench.fault() == .bootUnlocked)
        for state in [1, 2, 3] as [Int64] {
            bench.plan.record.hardware[704] = RecordPlan.boot(state: state)
            #expect(try bench.fault() == .bootNotVerified)
        }
        bench.plan.record.hardware[704] = RecordPlan.boot(state: 4)
        #expect(try bench.fault() == .recordMalformed)
        bench.plan.record.hardware[704] = nil
        #expect(try bench.fault() == .bootUnknown)
    }

    @Test("The key is another app's", arguments: [[], ["com.evil.app"], ["org.example.gate", "com.evil.app"], ["org.example.gate.evil"]])
    mutating func otherApplication(packages: [String]) throws {
        bench.plan.record.packages = packages
        #expect(try bench.fault() == .applicationDiffers)
    }

    @Test("The app has the site's name and another signer")
    mutating func otherSigner() throws {
        let own = bench.plan.record.signers[0], other = [UInt8](repeating: 1, count: 32)
        for signers in [[], [other], [own, other], [Array(own.dropLast())]] {
            bench.plan.record.signers = signers
            #expect(try bench.fault() == .applicationDiffers)
        }
    }

    @Test("A site that names no app takes no key")
    mutating func noApplications() throws {
        bench.policy.applications = []
        #expect(try bench.fault() == .applicationDiffers)
    }

    @Test("Hardware that says nothing of its state of repair is taken all the same")
    mutating func noPatchLevel() throws {
        bench.plan.record.hardware[706] = nil
        #expect(try bench.judge().patchLevel == nil)
    }
}
