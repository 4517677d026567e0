import Credentials
import Cryptography
import Encoding
import Testing

@testable import Evidence

/// The form of a checkpoint, and whose it is.
@Suite("A signed checkpoint") struct SignedCheckpointTests {
    let key: SigningKey
    let checkpoint = Checkpoint(
        site: "north", gate: "gate-1", milliseconds: 1_800_000_000_123, clock: .holdover(ageSeconds: 7),
        main: ChainExtent(first: 5, sequence: 40, hash: [UInt8](repeating: 1, count: 32)),
        unproven: ChainExtent(first: 1, sequence: 0, hash: [UInt8](repeating: 0, count: 32)))
    let signed: SignedCheckpoint

    init() throws {
        key = try SigningKey.generate(.p256)
        signed = try SignedCheckpoint.sign(checkpoint, key: key)
    }

    func error(_ bytes: [UInt8]) -> CheckpointError? {
        do throws(CheckpointError) { _ = try SignedCheckpoint(parsing: bytes) } catch { return error }
        return nil
    }

    @Test func itIsReadAsSigned() throws {
        let read = try SignedCheckpoint(parsing: signed.raw)
        #expect(read == signed && read.checkpoint == checkpoint && read.isSigned(by: key.publicKey))
        #expect(read.keyIdentifier == key.publicKey.thumbprint)
        #expect(CheckpointTrust(keys: [key.publicKey], site: "north", gate: "gate-1").fault(of: read) == nil)
    }

    /// What a ring keeps is signed since format 2; older checkpoints stay readable.
    @Test func whatTheRingKeepsIsSigned() throws {
        let said = Checkpoint(
            site: "north", gate: "gate-1", milliseconds: 1, clock: .synchronised,
            main: ChainExtent(first: 5, sequence: 40, hash: [UInt8](repeating: 1, count: 32), keeps: 10_000),
            unproven: ChainExtent(first: 1, sequence: 0, hash: [UInt8](repeating: 0, count: 32), keeps: 1))
        let read = try SignedCheckpoint(parsing: SignedCheckpoint.sign(said, key: key).raw)
        #expect(read.checkpoint == said && read.isSigned(by: key.publicKey))
        #expect(try CBOR.decode(said.payload).map?[0] == 2 && CBOR.decode(checkpoint.payload).map?[0] == 1)
    }

    @Test func eachByteCounts() throws {
        for place in signed.raw.indices {
            for bit in [UInt8(1), 0x80] {
                var other = signed.raw
                other[place] ^= bit
                guard let read = try? SignedCheckpoint(parsing: other) else { continue }
                #expect(CheckpointTrust(keys: [key.publicKey]).fault(of: read) != nil, "byte \(place)")
            }
        }
    }

    @Test func itsEndCounts() {
        for length in signed.raw.indices { #expect(error(Array(signed.raw.prefix(length))) == .malformed) }
        #expect(error(signed.raw + [0]) == .malformed)
        #expect(error([UInt8](repeating: 0, count: SignedCheckpoint.longest + 1)) == .malformed)
    }

    @Test func anotherKeyIsAnothers() throws {
        let other = try SigningKey.generate(.p256)
        #expect(!signed.isSigned(by: other.publicKey))
        #expect(CheckpointTrust(keys: [other.publicKey]).fault(of: signed) == .keyUnknown)
        #expect(CheckpointTrust(keys: []).fault(of: signed) == .keyUnknown)
        #expect(CheckpointTrust(keys: [other.publicKey, key.publicKey]).fault(of: signed) == nil)
    }

    @Test func anotherGateIsSaidToBe() {
        #expect(CheckpointTrust(keys: [key.publicKey], gate: "gate-2").fault(of: signed) == .otherGate)
        #expect(CheckpointTrust(keys: [key.publicKey], site: "south").fault(of: signed) == .otherGate)
    }

    @Test func aSignatureBySomebodyElseUnderThisNameIsWrong() throws {
        let forger = try SigningKey.generate(.p256)
        let header: CBORMap = [4: .bytes(key.publicKey.thumbprint), 16: .text(SignedCheckpoint.type)]
        let forged = try COSESign1.sign(payload: checkpoint.payload, protected: header, key: forger)
        let read = try SignedCheckpoint(parsing: forged.encoded)
        #expect(CheckpointTrust(keys: [key.publicKey, forger.publicKey]).fault(of: read) == .signatureWrong)
    }

    @Test func onlyItsOwnFormIsRead() throws {
        let identifier = CBOR.bytes(key.publicKey.thumbprint), type = CBOR.text(SignedCheckpoint.type)
        let headers: [CBORMap] = [[4: identifier], [16: type], [4: identifier, 16: "tapstile-gate"], [4: .bytes([1]), 16: type],
                                  [3: "x", 4: identifier, 16: type]]
        for header in headers {
            #expect(error(try COSESign1.sign(payload: checkpoint.payload, protected: header, key: key).encoded) == .malformed)
        }
        let open = try COSESign1.sign(payload: checkpoint.payload, protected: [4: identifier, 16: type], unprotected: [5: 1], key: key)
        #expect(error(open.encoded) == .malformed)
    }

    @Test func itsPayloadHasOneForm() throws {
        var items = try #require(try CBOR.decode(checkpoint.payload).map)
        func error(_ map: CBORMap) -> CheckpointError? {
            do throws(CheckpointError) { _ = try Checkpoint(payload: CBOR.map(map).encoded) } catch { return error }
            return nil
        }
        for label in 0..<7 {
            var without = items
            without[.unsigned(UInt64(label))] = nil
            #expect(error(without) == .malformed, "label \(label)")
            var other = items
            other[.unsigned(UInt64(label))] = .simple(22)
            #expect(error(other) == .malformed, "label \(label)")
        }
        var more = items
        more[7] = 1
        #expect(error(more) == .malformed)
        var extent = items
        extent[5] = .array([.unsigned(9), .unsigned(7), .bytes([UInt8](repeating: 0, count: 32))])
        #expect(error(extent) == .malformed, "the oldest is not newer than the newest")
        extent[5] = .array([.unsigned(1), .unsigned(.max), .bytes([UInt8](repeating: 0, count: 32))])
        #expect(error(extent) == .malformed)
        items[0] = 3
        #expect(error(items) == .versionUnknown)
        items[0] = 2
        #expect(error(items) == .malformed, "the second format says how many records are kept")
    }

    @Test func whatCouldNotBeReadBackIsNotSigned() throws {
        let long = Checkpoint(site: String(repeating: "s", count: 200), gate: "g", milliseconds: 0, clock: .untrusted,
                              main: checkpoint.main, unproven: checkpoint.unproven)
        #expect(throws: CheckpointError.unsignable) { try SignedCheckpoint.sign(long, key: key) }
        #expect(throws: CheckpointError.unsignable) { try SignedCheckpoint.sign(checkpoint, key: try SigningKey.generate(.ed25519)) }
    }
}
