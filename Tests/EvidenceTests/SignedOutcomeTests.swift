import Credentials
import Cryptography
import Encoding
import Testing
@testable import Evidence

/// The gate's word that it granted, in its one form.
@Suite struct SignedOutcomeTests {
    let key: SigningKey

    init() throws { key = try SigningKey.generate(.p256) }

    static let hash = [UInt8](repeating: 1, count: 32), transcript = [UInt8](repeating: 2, count: 32)

    func signed(site: String = "north", hash: [UInt8] = Self.hash, reason: String = "granted") -> SignedOutcome? {
        SignedOutcome.sign(site: site, gate: "gate-1", recordHash: hash, transcript: Self.transcript, reason: reason, key: key)
    }

    @Test func itIsReadAsSigned() throws {
        let outcome = try #require(signed())
        let read = try #require(SignedOutcome(parsing: outcome.raw))
        #expect(read == outcome && read.isSigned(by: key.publicKey))
        #expect((read.site, read.gate, read.reason) == ("north", "gate-1", "granted"))
        #expect(read.recordHash == Self.hash && read.transcript == Self.transcript && read.keyIdentifier == key.publicKey.thumbprint)
        #expect(!read.isSigned(by: try SigningKey.generate(.p256).publicKey))
    }

    @Test func whatCouldNotBeReadIsNotSigned() throws {
        #expect(signed(site: String(repeating: "x", count: 129)) == nil)
        #expect(signed(hash: [1]) == nil)
        let other = try SigningKey.generate(.ed25519)
        #expect(SignedOutcome.sign(site: "north", gate: "gate-1", recordHash: Self.hash, transcript: Self.transcript, reason: "granted", key: other) == nil)
    }

    /// One key signs two things, and neither is ever read as the other.
    @Test func aCheckpointIsNoOutcome() throws {
        let extent = ChainExtent(first: 1, sequence: 1, hash: Self.hash)
        let checkpoint = try SignedCheckpoint.sign(
            Checkpoint(site: "north", gate: "gate-1", milliseconds: 0, clock: .synchronised, main: extent, unproven: extent), key: key)
        #expect(SignedOutcome(parsing: checkpoint.raw) == nil)
        #expect(throws: CheckpointError.malformed) { try SignedCheckpoint(parsing: try #require(signed()).raw) }
    }

    @Test func everyByteCounts() throws {
        let outcome = try #require(signed())
        for index in outcome.raw.indices {
            var changed = outcome.raw
            changed[index] ^= 1
            #expect(SignedOutcome(parsing: changed)?.isSigned(by: key.publicKey) != true, "byte \(index)")
        }
    }
}
