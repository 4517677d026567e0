import Encoding
import Testing
@testable import Evidence

/// The form of the exported file.
@Suite struct EvidenceFileTests {
    let file = EvidenceFile(previous: [UInt8](repeating: 1, count: 32), record: [0xA0], hash: [UInt8](repeating: 2, count: 32))

    func error(_ bytes: [UInt8]) -> EvidenceFileError? {
        do throws(EvidenceFileError) { _ = try EvidenceFile(parsing: bytes) } catch { return error }
        return nil
    }

    @Test func itIsReadAsWritten() throws {
        #expect(try EvidenceFile(parsing: file.encoded) == file)
        // ["tapstile-evidence", 1, …
        #expect(Array(file.encoded.prefix(20)) == [0x85, 0x71] + Array("tapstile-evidence".utf8) + [0x01])
    }

    @Test func somethingElseIsSaidToBe() throws {
        let bytes = file.encoded
        for other in [[], [0x80], [0xF6], Array(bytes.dropLast()), bytes + [0], [UInt8](repeating: 0, count: 30_000)] {
            #expect(error(other) == .malformed)
        }
        var items = try #require(try CBOR.decode(bytes).array)
        for place in [0, 2, 3, 4] {
            var wrong = items
            wrong[place] = 7
            #expect(error(CBOR.array(wrong).encoded) == .malformed)
        }
        items[2] = .bytes([1])
        #expect(error(CBOR.array(items).encoded) == .malformed)
    }

    /// ["tapstile-evidence", 2, …, h'84…']
    @Test func withTheGatesSignatureItIsAnotherVersion() throws {
        let outcome = try #require(SignedOutcome.sign(
            site: "north", gate: "gate-1", recordHash: file.hash, transcript: file.previous, reason: "granted", key: .generate(.p256)))
        let signed = EvidenceFile(previous: file.previous, record: file.record, hash: file.hash, outcome: outcome)
        #expect(Array(signed.encoded.prefix(20)) == [0x86, 0x71] + Array("tapstile-evidence".utf8) + [0x02])
        #expect(try EvidenceFile(parsing: signed.encoded) == signed)
        var items = try #require(try CBOR.decode(signed.encoded).array)
        for wrong: CBOR in [.null, .bytes([]), .bytes(outcome.raw + [0]), 7] {
            items[5] = wrong
            #expect(error(CBOR.array(items).encoded) == .malformed)
        }
        items.removeLast()
        #expect(error(CBOR.array(items).encoded) == .malformed, "version 2 without it")
    }

    @Test func aNewerVersionIsSaidToBe() throws {
        #expect(error(CBOR.array(["tapstile-evidence", 3]).encoded) == .versionUnknown)
    }

    @Test func aRecordThatIsNoneIsSaidToBe() {
        let report = EvidenceVerification.verify(file, against: EvidenceTrust())
        #expect(report.checks.map(\.fault) == [.recordUnreadable] && !report.holds)
    }
}
