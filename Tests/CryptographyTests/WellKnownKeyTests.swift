import Encoding
import Testing
@testable import Cryptography

@Suite("Keys whose private half everybody has (S6)")
struct WellKnownKeyTests {
    private static func number(_ value: UInt16) -> [UInt8] { [UInt8](repeating: 0, count: 30) + [UInt8(value >> 8), UInt8(value & 0xFF)] }

    @Test("Small multiples of the generator, of either sign", arguments: [1, 2, 3, 16, 255, 256] as [UInt16])
    func small(value: UInt16) throws {
        let key = try SigningKey(rawPrivate: Self.number(value), curve: .p256).publicKey
        #expect(key.isWellKnown)
        let y = try #require(key.y), isOdd = y.last.map { $0 & 1 == 1 } ?? false
        #expect(try PublicKey(compressedP256: key.x, yIsOdd: !isOdd).isWellKnown)
        #expect(try PublicKey(curve: .p256, x: key.x, y: nil).isWellKnown)
    }

    /// The private values as they are printed; the table has the public ones.
    @Test("Keys of documents", arguments: [
        "fb13adeb6518cee5f88417660841142e830a81fe334380a953406a1305e8706b", // RFC 9529, 3.2
        "72cc4761dbd4c78f758931aa589d348d1ef874a7e303ede2f140dcf3e6aa4aac",
        "6c1382765aec5358f117733d281c1c7bdc39884d04a45a1e6c67c858bc206c19", // RFC 8392, A.2.3
        "57c92077664146e876760c9520d054aa93c3afb04e306705db6090308507b4d3", // RFC 9052, C.7
        "aff907c99f9ad3aae6c4cdf21122bce2bd68b5283e6907154ad911840fa208cf",
        "02d1f7e6f26c43d4868d87ceb2353161740aacf1f7163647984b522a848df1c3",
        "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721", // RFC 6979, A.2.5
        "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433", // RFC 5903, 8.1
        "c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53",
        "8e9b109e719098bf980487df1f5d77e9cb29606ebed2263b5f57c213df84f4b2", // RFC 7515, A.3
        "f3bd0c07a81fb932781ed52752f60cc89a6be5e51934fe01938ddb55d8f77801", // RFC 7517, A.1
        "d3f3716913d4310a0026de741b3f18893afc8114f0c84682ba677e313a13988a", // RFC 7518, C: Alice
        "5449836690d75caf29f0dd029ddb31b3ddb8aba9d2d515c5012465e817d4a9dc" // RFC 7518, C: Bob
    ])
    func published(value: String) throws {
        #expect(try SigningKey(rawPrivate: Hex.decode(value), curve: .p256).publicKey.isWellKnown)
    }

    @Test("Those of the worked exchanges, which are made for tests of phones", arguments: [
        "4c746c7d591788fbb9e59c6a90460fc4d140c0ef7dfa7cda3fbb4dc0db9fb61f", "dd0ffd6dc5b126eccf4e8927fc31d0e8da990e1ae7620a563ca0dd64b3839596",
        "651e9e307d04594ec9407ab4447fc1211c970a4a97d39e337dc15d38523fe575"
    ])
    func ours(value: String) throws { #expect(try SigningKey(rawPrivate: Hex.decode(value), curve: .p256).publicKey.isWellKnown) }

    @Test("Ed25519: the vectors of RFC 8032, and a seed of zeros", arguments: [
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", String(repeating: "0", count: 64)
    ])
    func edwards(seed: String) throws { #expect(try SigningKey(rawPrivate: Hex.decode(seed), curve: .ed25519).publicKey.isWellKnown) }

    @Test("A key that somebody made is nobody else's")
    func others() throws {
        for curve in [Curve.p256, .ed25519] { #expect(try !SigningKey.generate(curve).publicKey.isWellKnown) }
        #expect(try !SigningKey(rawPrivate: Self.number(257), curve: .p256).publicKey.isWellKnown)
    }
}
