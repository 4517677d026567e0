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

    /// An element with so many bytes for its length, as BER allows; DER has the shortest form alone.
    private func element(_ tag: UInt8, _ content: [UInt8], lengthBytes: Int? = nil) -> [UInt8] {
        let count = content.count
        let bytes = lengthBytes ?? (count < 0x80 ? 0 : count < 0x100 ? 1 : 2)
        let digits = (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
        let length = bytes == 0 ? [UInt8(count)] : [0x80 | UInt8(bytes)] + digits
        return [tag] + length + content
    }

    /// The same key with more bytes than it needs in one place of the five.
    private func longer(_ key: RSAPublicKey, lengthBytes: [Int: Int] = [:], zeros: [Int: Int] = [:]) -> [UInt8] {
        func integer(_ digits: [UInt8], _ place: Int) -> [UInt8] {
            let sign = digits[0] & 0x80 == 0 ? 0 : 1
            let zeros = [UInt8](repeating: 0, count: sign + (zeros[place] ?? 0))
            return element(0x02, zeros + digits, lengthBytes: lengthBytes[place])
        }
        let rsaEncryption: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
        let algorithm = element(0x30, rsaEncryption + [0x05, 0x00])
        let numbers = element(0x30, integer(key.modulus, 3) + integer(key.exponent, 4), lengthBytes: lengthBytes[2])
        let bits = element(0x03, [0] + numbers, lengthBytes: lengthBytes[1])
        return element(0x30, algorithm + bits, lengthBytes: lengthBytes[0])
    }

    /// Two texts for one key would be two names for it.
    @Test("An RSA key with a length or a number in a longer form is none")
    func longerForms() throws {
        let bytes = try #require(PEM.publicKey(try text("rsa")))
        let key = try #require(RSAPublicKey(subjectPublicKeyInfo: bytes))
        #expect(longer(key) == bytes)
        var others = (0..<4).map { longer(key, lengthBytes: [$0: 3]) }
        others += (1...3).map { longer(key, lengthBytes: [4: $0]) }
        others += (3...4).map { longer(key, zeros: [$0: 1]) }
        for other in others { #expect(RSAPublicKey(subjectPublicKeyInfo: other) == nil, "\(Hex.encode(other))") }
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
        var stream = HashStream.sha512
        for byte in "abc".utf8 { stream.update([byte]) }
        #expect(Hex.encode(stream.finish()) == abc)
        #expect(SHA512.hash([]).count == SHA512.length)
    }
}
