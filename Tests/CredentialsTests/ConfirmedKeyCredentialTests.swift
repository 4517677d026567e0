import Credentials
import Cryptography
import Encoding
import Testing

@Suite struct ConfirmedKeyCredentialTests {
    /// RFC 9529, 3.2: the responder's static key, `sub` and `kid` as the RFC has them.
    @Test func credentialOfRFC9529() throws {
        let raw = try hex("a2026b6578616d706c652e65647508a101a501020241322001215820bbc34960526ea4d32e940cad2a234148ddc21791a12afbcbac93622046dd44f0"
            + "2258204519e257236b2a0ce2023f0931f1f386ca7afda64fcde0108c224c51eabf6072")
        let credential = try ConfirmedKeyCredential(parsing: raw)
        #expect(credential.raw == raw)
        #expect(credential.subject == "example.edu")
        #expect(credential.key.keyIdentifier == [0x32])
        #expect(ConfirmedKeyCredential(key: credential.key, subject: "example.edu").raw == raw)
    }

    @Test func otherClaimsAreIgnoredAndOrderDoesNotMatter() throws {
        let key = COSEKey(key: try SigningKey.generate().publicKey)
        let raw: [UInt8] = [0xA2, 0x08, 0xA1, 0x01] + key.cbor.encoded + [0x04, 0x18, 0x05]
        let credential = try ConfirmedKeyCredential(parsing: raw)
        #expect(credential.key == key)
        #expect(credential.subject == nil)
        #expect(credential.raw == raw)
    }

    @Test func aClaimsSetThatWasReadWithItsMessageIsReadAlike() throws {
        let raw = ConfirmedKeyCredential(key: COSEKey(key: try SigningKey.generate().publicKey), subject: "ada").raw
        let item = try CBOR.decode(raw, rules: .wellFormed)
        #expect(try ConfirmedKeyCredential(decoded: item, raw: raw) == ConfirmedKeyCredential(parsing: raw))
        let long = [UInt8](repeating: 0, count: ConfirmedKeyCredential.longest + 1)
        #expect(throws: COSEError.notAKey) { try ConfirmedKeyCredential(decoded: item, raw: long) }
    }

    @Test func faults() throws {
        let key = COSEKey(key: try SigningKey.generate().publicKey).cbor
        #expect(throws: COSEError.notAKey) { try ConfirmedKeyCredential(parsing: [0xA0]) }
        #expect(throws: COSEError.notAKey) { try ConfirmedKeyCredential(parsing: [0x01]) }
        #expect(throws: COSEError.notAKey) { try ConfirmedKeyCredential(parsing: CBOR.map([8: [2: key]]).encoded) }
        #expect(throws: COSEError.notAKey) { try ConfirmedKeyCredential(parsing: CBOR.map([8: [1: 5]]).encoded) }
        #expect(throws: COSEError.notAKey) {
            try ConfirmedKeyCredential(parsing: CBOR.map([8: [1: key], 2: .text(String(repeating: "x", count: 512))]).encoded)
        }
        #expect(throws: COSEError.notCBOR(CBORError(.trailingBytes, at: 1))) { try ConfirmedKeyCredential(parsing: [0xA0, 0]) }
    }
}
