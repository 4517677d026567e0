import Credentials
import Cryptography
import Encoding
import Testing

/// RFC 8392, appendix A. This product's tokens are signed and confirmed, so that only A.3 is near to them;
/// the others show that claims, MAC and encryption are understood in the same way.
@Suite struct RFC8392Tests {
    // A.1
    static let claims = "a70175636f61703a2f2f61732e6578616d706c652e636f6d02656572696b77037818636f61703a2f2f6c696768742e6578616d706c652e636f6d"
        + "041a5612aeb0051a5610d9f0061a5610d9f007420b71"
    // A.2.3
    static let key = "a72358206c1382765aec5358f117733d281c1c7bdc39884d04a45a1e6c67c858bc206c1922582060f7f1a780d8a783bfb7a2dd6b2796e8128dbbcef9"
        + "d3d168db9529971a36e7b9215820143329cce7868e416927599cf65a34f3ce2ffda55a7eca69ed8919a394d42f0f2001010202524173796d6d6574726963"
        + "454344534132353603" + "26"

    @Test func a1ClaimsSet() throws {
        let set = try CBOR.decode(hex(Self.claims))
        #expect(set[1] == "coap://as.example.com")
        #expect(set[2] == "erikw")
        #expect(set[3] == "coap://light.example.com")
        #expect(set[4] == 1_444_064_944)
        #expect(set[5] == 1_443_944_944)
        #expect(set[6] == 1_443_944_944)
        #expect(set[7] == .bytes([0x0B, 0x71]))
        #expect(try set.encoded == hex(Self.claims))
    }

    /// The key is given with its private value, which has no place where public keys are expected.
    @Test func a2Key() throws {
        let item = try CBOR.decode(hex(Self.key), rules: .wellFormed)
        #expect(throws: COSEError.unsupportedKey) { try COSEKey(cbor: item) }
        var open = try #require(item.map)
        open[-4] = nil
        let key = try COSEKey(cbor: .map(open))
        #expect(key.keyIdentifier == Array("AsymmetricECDSA256".utf8))
        #expect(try key.key == COSEVector.load("A_3")[0].key)
        let signer = try SigningKey(rawPrivate: #require(item[-4]?.bytes), curve: .p256)
        #expect(signer.publicKey == key.key)
    }

    @Test(arguments: COSEVector.load("A_3")) func a3Signed(_ vector: COSEVector) throws {
        let signed = try COSESign1(parsing: vector.encoded, allowsTag: true)
        #expect(signed.verify(with: try vector.key))
        #expect(try signed.payload == hex(Self.claims))
        // Good as a CWT, and no token here: without the tag, it still has no confirmation key.
        #expect(throws: TokenError.structure(.wrongTag(18))) { try Token(parsing: vector.encoded) }
        #expect(throws: TokenError.claim(label: 8)) { try Token(parsing: Array(vector.encoded.dropFirst())) }
    }

    @Test(arguments: COSEVector.load("A_4", "A_7")) func a4AndA7Authenticated(_ vector: COSEVector) throws {
        let mac = try HMACSHA256.authenticate([hex(#require(vector.intermediates.ToMac_hex))], key: hex(#require(vector.intermediates.CEK_hex)))
        guard case .tagged(17, let structure) = try CBOR.decode(vector.encoded) else { Issue.record("no COSE_Mac0"); return }
        #expect(structure.array?.last == .bytes(Array(mac.prefix(8))))
        #expect(throws: TokenError.structure(.wrongTag(17))) { try Token(parsing: vector.encoded) }
    }

    @Test(arguments: COSEVector.load("A_5")) func a5Encrypted(_ vector: COSEVector) throws {
        #expect(try open(vector) == hex(Self.claims))
        #expect(throws: TokenError.structure(.wrongTag(16))) { try Token(parsing: vector.encoded) }
    }

    @Test(arguments: COSEVector.load("A_6")) func a6Nested(_ vector: COSEVector) throws {
        let inner = try COSESign1(parsing: open(vector), allowsTag: true)
        #expect(inner.verify(with: try COSEVector.load("A_3")[0].key))
        #expect(try inner.payload == hex(Self.claims))
    }

    private func open(_ vector: COSEVector) throws -> [UInt8] {
        guard case .tagged(16, let structure) = try CBOR.decode(vector.encoded) else { return [] }
        let parts = try #require(structure.array)
        return try AEADAlgorithm.aesCCM16_64_128.open(
            #require(parts[2].bytes), key: hex(#require(vector.intermediates.CEK_hex)), nonce: #require(parts[1][5]?.bytes),
            additionalData: hex(#require(vector.intermediates.AAD_hex)))
    }
}
