import Authority
import Credentials
import Cryptography
import Evidence
import Foundation
import Testing

/// What an authority believes when it checks evidence, and what an archive of its public files does.
@Suite("Evidence and what the authority knows")
struct EvidenceTrustTests {
    let scratch: ScratchFolder
    /// Evidence that cannot be read is about nobody's key.
    let file = EvidenceFile(previous: [UInt8](repeating: 0, count: 32), record: [0xA0], hash: [UInt8](repeating: 0, count: 32))

    init() throws { scratch = try ScratchFolder() }

    /// The file for phones loses a key one day, or is lost itself: the authority still knows the gate.
    @Test func aGateKeyThatPhonesKnowNoMoreIsStillKnown() throws {
        let authority = try makeAuthority(in: scratch)
        let group = try authority.makeGates(name: "main", now: now)
        try FileManager.default.removeItem(atPath: authority.knownGatesPath)
        let known = try authority.evidenceTrust(for: file).gates
        for claims in [group.signing.claims, group.agreement.claims] {
            #expect(known.contains(.credential(try ConfirmedKeyCredential(parsing: claims))))
        }
        #expect(try authority.evidenceTrust(for: file).enrolled.isEmpty)
    }

    /// A key that was stolen is known with its end, so that it proves what happened before and nothing after.
    @Test func aKeyThatWasDroppedIsKnownWithItsEnd() throws {
        let authority = try makeAuthority(in: scratch)
        let old = try authority.makeGates(name: "main", now: now)
        #expect(try authority.evidenceTrust(for: file).gateEnds == [:])
        let fresh = try authority.replaceGates(name: "main", validSeconds: nil, now: now + 50).group
        _ = try authority.dropOldKeys(name: "main", now: now + 100)
        let trust = try authority.evidenceTrust(for: file)
        #expect(trust.gateEnds == [old.signing.key: now + 100, old.agreement.key: now + 100])
        for claims in [old.signing.claims, fresh.signing.claims] {
            #expect(trust.gates.contains(.credential(try ConfirmedKeyCredential(parsing: claims))))
        }
        try FileManager.default.removeItem(atPath: authority.knownGatesPath)
        let issuers = try authority.evidenceTrust(for: file).gates.filter { if case .issuer = $0 { true } else { false } }
        #expect(issuers.count == 1, "credentials by value are known too")
    }

    @Test func theIssuersPublicHalfIsEnough() throws {
        let authority = try makeAuthority(in: scratch)
        let key = try KeyFile(parsing: scratch.bytes("site/issuer.pub")).publicKey
        try FileManager.default.removeItem(atPath: scratch.path("site/issuer.key"))
        #expect(try authority.evidenceTrust(for: file).issuers == [key])
        #expect(try Authority.issuerKey(at: scratch.path("site/issuer.pub")) == key)
        #expect(throws: AuthorityError.self) { try Authority.issuerKey(at: scratch.path("site/gate-issuer.pub")) }
    }

    @Test func otherFilesAreSaidToBeOther() throws {
        let authority = try makeAuthority(in: scratch)
        _ = try authority.makeGates(name: "main", now: now)
        #expect(try Authority.gates(at: authority.knownGatesPath).count >= 2)
        let other = scratch.path("site/gate-issuer.pub")
        #expect(throws: AuthorityError.notAGateList(path: other)) { try Authority.gates(at: other) }
        #expect(throws: AuthorityError.evidence(.malformed)) { try Authority.evidence(at: other) }
    }
}
