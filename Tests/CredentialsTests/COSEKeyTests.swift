import Credentials
import Cryptography
import Encoding
import Testing

@Suite struct COSEKeyTests {
    private func map(_ key: PublicKey) throws -> CBORMap { try #require(COSEKey(key: key).cbor.map) }

    @Test func everyKindComesBack() throws {
        let keys: [COSEKey] = [
            COSEKey(key: try SigningKey.generate().publicKey, keyIdentifier: [1]),
            COSEKey(key: try SigningKey.generate().publicKey, use: .sign),
            COSEKey(key: try AgreementKey.generate().publicKey, use: .agree),
            COSEKey(key: try SigningKey.generate(.ed25519).publicKey),
            COSEKey(key: try AgreementKey.generate(.x25519).publicKey, keyIdentifier: [])
        ]
        for key in keys { #expect(try COSEKey(cbor: CBOR.decode(key.cbor.encoded)) == key) }
        #expect(keys.map(\.use) == [nil, .sign, .agree, .sign, .agree])
    }

    @Test func compressedPointIsTheSameKey() throws {
        for _ in 0..<8 {
            let key = try SigningKey.generate().publicKey
            var compressed = try map(key)
            compressed[-3] = CBOR(try #require(key.y?.last) & 1 == 1)
            #expect(try COSEKey(cbor: .map(compressed)).key == key)
        }
    }

    @Test func faults() throws {
        let p256 = try SigningKey.generate().publicKey, ed = try SigningKey.generate(.ed25519).publicKey
        let cases: [(PublicKey, COSEError, (inout CBORMap) -> Void)] = [
            (p256, .notAKey, { $0[1] = nil }), (p256, .notAKey, { $0[-1] = nil }), (p256, .notAKey, { $0[-2] = nil }), (p256, .notAKey, { $0[-3] = nil }),
            (p256, .notAKey, { $0[2] = "kid" }), (p256, .notAKey, { $0[4] = 2 }), (p256, .unsupportedKey, { $0[1] = 1 }),
            (p256, .unsupportedKey, { $0[-1] = 2 }), (p256, .unsupportedKey, { $0[-1] = 6 }), (p256, .unsupportedKey, { $0[-4] = .bytes([1]) }),
            (p256, .unsupportedKey, { $0[4] = [2, 8] }), (p256, .unsupportedKey, { $0[4] = [3] }), (p256, .invalidPoint, { $0[-3] = .bytes([1]) }),
            (p256, .invalidPoint, { $0[-3] = "y" }), (p256, .invalidPoint, { $0[-2] = .bytes([UInt8](repeating: 0xFF, count: 32)) }),
            (p256, .invalidPoint, { $0[-2] = .bytes([UInt8](repeating: 0xFF, count: 32)); $0[-3] = true }),
            (ed, .invalidPoint, { $0[-3] = .bytes($0[-2]?.bytes ?? []) }), (ed, .unsupportedKey, { $0[4] = [] }), (ed, .invalidPoint, { $0[-2] = .bytes([1]) })
        ]
        for (index, (key, error, change)) in cases.enumerated() {
            var map = try map(key)
            change(&map)
            #expect(throws: error, "case \(index)") { try COSEKey(cbor: .map(map)) }
        }
        #expect(throws: COSEError.notAKey) { try COSEKey(cbor: 1) }
    }
}
