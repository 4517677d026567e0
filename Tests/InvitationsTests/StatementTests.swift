@testable import PhoneProtocol
import Credentials
import Cryptography
import Encoding
import Invitations
import Testing

/// 2026-11-25T12:00:00Z
let noon: Int64 = 1_795_608_000
let origin = "https://gates.example"

/// What phones sign, and what nothing that they sign can be taken for.
@Suite struct StatementTests {
    @Test func itIsWrittenAsTheDocumentSays() throws {
        let key = try SigningKey.generate(), code = InvitationCode.make()
        let nonce = try #require(NonceText("abc-_9"))
        let redeem = Statement.redeem(origin: origin, key: key.publicKey, nonce: nonce, code: code, time: noon)
        let thumbprint = Base64.encode(key.publicKey.thumbprint, .url)
        #expect(String(decoding: redeem.bytes, as: UTF8.self) == """
            tapstile-phone-statement-1
            purpose: redeem
            origin: https://gates.example
            key: \(thumbprint)
            nonce: abc-_9
            code: \(Base64.encode(SHA256.hash(code.bytes), .url))
            time: 2026-11-25T12:00:00Z

            """)
        let renew = Statement.renew(origin: origin, key: key.publicKey, nonce: nonce, time: noon)
        #expect(String(decoding: renew.bytes, as: UTF8.self) == """
            tapstile-phone-statement-1
            purpose: renew
            origin: https://gates.example
            key: \(thumbprint)
            nonce: abc-_9
            time: 2026-11-25T12:00:00Z

            """)
    }

    @Test func aSignatureIsGoodForNothingButWhatWasSigned() throws {
        let key = try SigningKey.generate(), other = try SigningKey.generate(), code = InvitationCode.make()
        let nonce = try #require(NonceText("n"))
        let statement = Statement.redeem(origin: origin, key: key.publicKey, nonce: nonce, code: code, time: noon)
        let signature = try statement.signature(by: key)
        #expect(statement.isSigned(signature, by: key.publicKey))
        #expect(!statement.isSigned(signature, by: other.publicKey))
        // Signed by one key, and says another.
        #expect(!statement.isSigned(try statement.signature(by: other), by: other.publicKey))
        let others: [Statement] = [
            .renew(origin: origin, key: key.publicKey, nonce: nonce, time: noon),
            .redeem(origin: "https://gates.example:8443", key: key.publicKey, nonce: nonce, code: code, time: noon),
            .redeem(origin: origin, key: key.publicKey, nonce: try #require(NonceText("N")), code: code, time: noon),
            .redeem(origin: origin, key: key.publicKey, nonce: nonce, code: .make(), time: noon),
            .redeem(origin: origin, key: key.publicKey, nonce: nonce, code: code, time: noon + 1)
        ]
        for other in others { #expect(!other.isSigned(signature, by: key.publicKey)) }
    }

    /// A server that hands out the Sig_structure of a tap as its nonce gets a signature over text in which it stands as letters.
    @Test func aNonceThatIsAStructureOfATapIsSignedAsText() throws {
        let phone = try SigningKey.generate()
        let structure = tap(of: phone.publicKey).toBeSigned(mac: [UInt8](repeating: 7, count: 32))
        #expect(NonceText(String(decoding: structure, as: UTF8.self)) == nil)
        let nonce = try #require(NonceText(String(Base64.encode(structure, .url).prefix(NonceText.longest))))
        let statement = Statement.renew(origin: origin, key: phone.publicKey, nonce: nonce, time: noon)
        #expect(statement.bytes.first == UInt8(ascii: "t"))
        #expect(!phone.publicKey.verify(try statement.signature(by: phone), over: structure))
        for text in ["", "a\nb", "a b", "a=", "ä", String(repeating: "a", count: NonceText.longest + 1)] { #expect(NonceText(text) == nil) }
    }

    @Test func noSignatureOfAStatementIsOneOfATapAndTheReverse() throws {
        let phone = try SigningKey.generate(), mac = RandomBytes.make(32)
        let nonce = try #require(NonceText(Base64.encode(RandomBytes.make(56), .url)))
        let statements: [Statement] = [
            .renew(origin: origin, key: phone.publicKey, nonce: nonce, time: noon),
            .redeem(origin: origin, key: phone.publicKey, nonce: nonce, code: .make(), time: noon)
        ]
        let context = tap(of: phone.publicKey)
        let proof = try context.prove(mac: mac, key: .signing(phone))
        #expect(context.verify(proof, mac: mac, signedBy: phone.publicKey))
        let sealed = try COSESign1.sign(payload: [1, 2, 3], key: phone)
        #expect(sealed.verify(with: phone.publicKey))
        for statement in statements {
            let signature = try statement.signature(by: phone)
            #expect(!context.verify(signature, mac: mac, signedBy: phone.publicKey))
            #expect(!statement.isSigned(proof, by: phone.publicKey))
            #expect(!statement.isSigned(sealed.signature, by: phone.publicKey))
            let moved = CBOR.array([.bytes(sealed.protectedBytes), .map(sealed.unprotected), .bytes(statement.bytes), .bytes(signature)])
            #expect(try !COSESign1(cbor: moved).verify(with: phone.publicKey))
            // What decides it: the first byte of the one is a letter, that of the other the head of an array.
            #expect(statement.bytes.first == 0x74)
            #expect(context.toBeSigned(mac: mac).first == 0x84)
            #expect(sealed.toBeSigned().first == 0x84)
            #expect(throws: CBORError.self) { try CBOR.decode(statement.bytes, rules: .wellFormed) }
        }
    }

    /// What a phone vouches for in message_3 of a tap, with itself as credential.
    private func tap(of key: PublicKey) -> ProofContext {
        let credential = ConfirmedKeyCredential(key: COSEKey(key: key, use: .sign))
        return ProofContext(identifier: CredentialIdentifier(claims: credential.raw).map, transcript: SHA256.hash([1]), credential: credential.raw, ead: [])
    }

    @Test func originsAreWrittenAsBrowsersDo() {
        #expect(Statement.origin(of: "https://Gates.Example/visit") == "https://gates.example")
        #expect(Statement.origin(of: "https://gates.example:443") == "https://gates.example")
        #expect(Statement.origin(of: "https://gates.example:8443/x") == "https://gates.example:8443")
        #expect(Statement.origin(of: "https://[2001:db8::1]:8443") == "https://[2001:db8::1]:8443")
        #expect(Statement.origin(of: "http://127.0.0.1:8080/visit") == "http://127.0.0.1:8080")
        #expect(Statement.origin(of: "http://gates.example") == nil)
        #expect(Statement.origin(of: "https://user@gates.example") == nil)
    }

    @Test func codesHaveOneFormAndSayNothing() throws {
        let code = InvitationCode.make()
        #expect(code.text.utf8.count == 22)
        #expect(InvitationCode(code.text) == code)
        #expect(InvitationCode.make() != code)
        for text in ["", code.text + "A", String(code.text.dropLast()), code.text + "==", " " + code.text, "AAAAAAAAAAAAAAAAAAAAAB"] {
            #expect(InvitationCode(text) == nil)
        }
        #expect("\(code)" == "(code)")
        var dumped = ""
        dump(code, to: &dumped)
        #expect(!dumped.contains(code.text) && !dumped.contains("\(code.bytes[0]), "))
    }
}
