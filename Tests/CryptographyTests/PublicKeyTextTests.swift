import Encoding
import Foundation
import Testing
@testable import Cryptography

/// Keys and signatures in the forms that others write (Vectors/public-key-text.tsv).
@Suite struct PublicKeyTextTests {
    private let values: [String: [UInt8]]

    init() throws {
        let folder = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let text = try String(contentsOf: folder.appending(path: "Vectors/public-key-text.tsv"), encoding: .utf8)
        var values: [String: [UInt8]] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t").map(String.init)
            values[columns[0]] = try Hex.decode(columns[1])
        }
        self.values = values
    }

    private func value(_ name: String) throws -> [UInt8] { try #require(values[name]) }

    private func text(_ name: String) throws -> String { String(decoding: try value(name), as: UTF8.self) }

    private func rsa(_ name: String) throws -> RSAPublicKey? {
        RSAPublicKey(subjectPublicKeyInfo: try #require(PEM.publicKey(try text(name))))
    }

    @Test("RSA-PSS is good with a salt of any length, and another padding is not", arguments: ["pss-32", "pss-0", "pss-max"])
    func rsaSignatures(_ name: String) throws {
        let key = try #require(try rsa("rsa"))
        let message = try value("message"), signature = try value(name)
        #expect(key.verify(signature, over: message))
        #expect(!key.verify(signature, over: message + [0]))
        #expect(!key.verify(Array(signature.dropLast()), over: message))
        #expect(!key.verify([0] + signature, over: message))
        #expect(!key.verify(try value("rsa-pkcs1"), over: message))
    }

    @Test("A short RSA key is none")
    func shortKey() throws {
        #expect(try rsa("rsa-1024") == nil)
    }

    @Test("Every byte of an RSA key matters: another form of it is none, or another key")
    func rsaForms() throws {
        let bytes = try #require(PEM.publicKey(try text("rsa")))
        let key = RSAPublicKey(subjectPublicKeyInfo: bytes)
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1
            let read = RSAPublicKey(subjectPublicKeyInfo: other)
            #expect(read == nil || read != key)
        }
        for count in bytes.indices { #expect(RSAPublicKey(subjectPublicKeyInfo: Array(bytes.prefix(count))) == nil) }
        #expect(RSAPublicKey(subjectPublicKeyInfo: bytes + [0]) == nil)
    }

    @Test("P-256 with the signature in DER, of which there is one form")
    func p256() throws {
        let bytes = try #require(PEM.publicKey(try text("p256")))
        let key = try #require(PublicKey(p256SubjectPublicKeyInfo: bytes))
        let message = try value("message"), signature = try value("p256-signature")
        #expect(key.verify(derSignature: signature, over: message))
        #expect(!key.verify(derSignature: signature, over: message + [0]))
        #expect(!key.verify(derSignature: signature + [0], over: message))
        #expect(!key.verify(derSignature: [], over: message))
        #expect(!key.verify(derSignature: [UInt8](repeating: 0x30, count: 200), over: message))
        #expect(PublicKey(p256SubjectPublicKeyInfo: bytes + [0]) == nil)
        var elsewhere = bytes
        elsewhere[bytes.count - 1] ^= 1
        #expect(PublicKey(p256SubjectPublicKeyInfo: elsewhere) == nil)
    }

    @Test("A compressed point is another form, which is not read")
    func compressed() throws {
        #expect(PublicKey(p256SubjectPublicKeyInfo: try #require(PEM.publicKey(try text("p256-compressed")))) == nil)
    }

    @Test("The armour is one block of one kind")
    func armour() throws {
        let pem = try text("p256")
        let bytes = PEM.publicKey(pem)
        #expect(bytes?.count == 91)
        #expect(PEM.publicKey(pem.replacingOccurrences(of: "\n", with: "\r\n")) == bytes)
        #expect(PEM.publicKey(String(pem.dropLast())) == bytes)
        for other in ["", "\n", pem + pem, " " + pem, pem + "x", pem + "\n", pem.replacingOccurrences(of: "PUBLIC", with: "PRIVATE"),
                      pem.replacingOccurrences(of: "M", with: "!"), "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n",
                      String(repeating: "A", count: 5000)] {
            #expect(PEM.publicKey(other) == nil)
        }
    }

    @Test("SHA-512 of FIPS 180-4, whole and in pieces")
    func sha512() throws {
        let abc = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        #expect(Hex.encode(SHA512.hash(Array("abc".utf8))) == abc)
        var stream = SHA512Stream()
        for byte in "abc".utf8 { stream.update([byte]) }
        #expect(Hex.encode(stream.finish()) == abc)
        #expect(SHA512.hash([]).count == SHA512.length)
    }
}
