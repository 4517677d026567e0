import Credentials
import Cryptography
import Encoding
import SiteRules
import TrustSync
import Vocabulary

/// No input stops the reader of publications: neither a file that nobody signed, nor a body under a
/// manifest with a good signature. What is accepted was there in one form only, and in pieces of any
/// size it is read alike.
func fuzz(_ input: [UInt8]) {
    guard let site = Site() else { preconditionFailure("the key of the site is good") }
    _ = try? site.read(input, pieces: 64)
    guard let first = input.first else { return }
    let body = Array(input.dropFirst())
    guard let file = site.signed(body) else { preconditionFailure("every body can be signed") }
    let whole = try? site.read(file, pieces: file.count)
    let pieces = try? site.read(file, pieces: 1 + Int(first & 63))
    precondition(whole == pieces, "pieces make no difference")
    if let whole { precondition(whole.flatMap(\.encoded) == body, "a record has one form") }
}

private struct Site {
    let key: SigningKey

    init?() {
        guard let key = try? SigningKey(rawPrivate: [UInt8](repeating: 1, count: 32), curve: .p256) else { return nil }
        self.key = key
    }

    func read(_ file: [UInt8], pieces: Int) throws -> [PublicationRecord] {
        var reader = PublicationReader(expecting: PublicationExpectation(
            site: "s", siteKey: key.publicKey, previous: nil, clock: ClockReading(seconds: 1, trust: .synchronised), builtAt: 0))
        var records: [PublicationRecord] = []
        for start in stride(from: 0, to: file.count, by: pieces) {
            records += try reader.feed(Array(file[start..<min(start + pieces, file.count)]))
        }
        _ = try reader.finish()
        return records
    }

    /// The body under a manifest that fits it, as far as its records can be counted.
    func signed(_ body: [UInt8]) -> [UInt8]? {
        var counts: [UInt64] = [0, 0, 0, 0], later: [UInt64] = [0, 0], cards: UInt64 = 0
        for item in (try? CBOR.decodeSequence(body)) ?? [] {
            guard let kind = item.array?.first?.unsignedInteger else { continue }
            if (1...4).contains(kind) { counts[Int(kind) - 1] += 1 }
            if kind == SiteRecord.kinds.upperBound + 1 { cards += 1 }
            if SiteRecord.kinds.contains(kind) { later[kind == SiteRecord.kinds.upperBound ? 1 : 0] += 1 }
        }
        var manifest: CBORMap = [
            1: 1, 2: "s", 3: 1, 4: 1, 5: 2, 6: .unsigned(UInt64(body.count)), 7: .bytes(SHA256.hash(body)),
            8: .array(counts.map(CBOR.unsigned))
        ]
        if later != [0, 0] { manifest[9] = .array(later.map(CBOR.unsigned)) }
        if cards > 0 { manifest[10] = .unsigned(cards) }
        let header: CBORMap = [3: "application/tapstile-publication"]
        let head = try? COSESign1.sign(payload: CBOR.map(manifest).encoded, protected: header, key: key)
        return head.map { $0.encoded + body }
    }
}
