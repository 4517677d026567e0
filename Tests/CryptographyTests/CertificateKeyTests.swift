import Encoding
import Foundation
import Testing
@testable import Cryptography

/// Keys that sign certificates, and nothing else (Vectors/certificate-keys.tsv).
@Suite struct CertificateKeyTests {
    private struct Row {
        let name: String
        let key: [UInt8]
        let algorithm: CertificateAlgorithm
        let signature: [UInt8]
    }

    private let rows: [Row]
    private let message = Array("tapstile".utf8)

    init() throws {
        let folder = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let text = try String(contentsOf: folder.appending(path: "Vectors/certificate-keys.tsv"), encoding: .utf8)
        let hashes: [String: CertificateHash] = ["sha256": .sha256, "sha384": .sha384, "sha512": .sha512]
        rows = try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let columns = line.split(separator: "\t").map(String.init)
            let hash = try #require(hashes[columns[2]])
            return Row(name: columns[0], key: try Hex.decode(columns[1]), algorithm: columns[0].hasPrefix("rsa") ? .rsa(hash) : .ecdsa(hash),
                       signature: try Hex.decode(columns[3]))
        }
    }

    private func rows(_ name: String) -> [Row] { rows.filter { $0.name == name } }

    @Test("Signatures of others are good under their key, their hash and their message alone", arguments: ["rsa", "p384", "p256"])
    func signatures(_ name: String) throws {
        #expect(rows(name).count >= 2)
        for row in rows(name) {
            let key = try #require(CertificateKey(subjectPublicKeyInfo: row.key))
            #expect(key.verify(row.signature, over: message, by: row.algorithm))
            #expect(!key.verify(row.signature, over: message + [0], by: row.algorithm))
            #expect(!key.verify(row.signature + [0], over: message, by: row.algorithm))
            #expect(!key.verify(Array(row.signature.dropLast()), over: message, by: row.algorithm))
            #expect(!key.verify([], over: message, by: row.algorithm))
            for hash in CertificateHash.allCases {
                for other in [CertificateAlgorithm.rsa(hash), .ecdsa(hash)] where other != row.algorithm {
                    #expect(!key.verify(row.signature, over: message, by: other))
                }
            }
        }
    }

    @Test("The padding of RSA is that of certificates alone")
    func padding() throws {
        let row = try #require(rows("rsa-pss").first)
        #expect(CertificateKey(subjectPublicKeyInfo: row.key)?.verify(row.signature, over: message, by: .rsa(.sha256)) == false)
    }

    @Test("Another curve, another form and a point off the curve are no keys")
    func noKeys() throws {
        #expect(CertificateKey(subjectPublicKeyInfo: try #require(rows("p521").first).key) == nil)
        let key = try #require(rows("p384").first).key
        #expect(CertificateKey(subjectPublicKeyInfo: key + [0]) == nil)
        #expect(CertificateKey(subjectPublicKeyInfo: Array(key.dropLast())) == nil)
        for place in key.indices {
            var other = key
            other[place] ^= 1
            #expect(CertificateKey(subjectPublicKeyInfo: other) == nil, "byte \(place)")
        }
    }

    /// What phones, gates and issuers have is a `PublicKey`.
    @Test("A P-384 or RSA key that signs certificates is no key of a phone or a gate", arguments: ["rsa", "p384"])
    func nothingForTaps(_ name: String) throws {
        let key = try #require(rows(name).first).key
        #expect(CertificateKey(subjectPublicKeyInfo: key) != nil)
        #expect(PublicKey(p256SubjectPublicKeyInfo: key) == nil)
        #expect(throws: KeyInformationFault.otherCurve) { try PublicKey(anyP256SubjectPublicKeyInfo: key) }
        #expect(Curve.allCases == [.p256, .x25519, .ed25519])
        let point = Array(key.suffix(97))
        #expect(throws: CryptographyError.wrongLength) { try PublicKey(p256Point: point) }
        #expect(throws: CryptographyError.wrongLength) { try PublicKey(curve: .p256, x: Array(key.suffix(96).prefix(48)), y: Array(key.suffix(48))) }
    }

    @Test("Algorithms have one form, and weak ones are none")
    func algorithms() throws {
        let sha256WithRSA: [UInt8] = [0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B, 0x05, 0x00]
        #expect(CertificateAlgorithm(algorithmIdentifier: sha256WithRSA) == .rsa(.sha256))
        let ecdsaWithSHA384: [UInt8] = [0x30, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]
        #expect(CertificateAlgorithm(algorithmIdentifier: ecdsaWithSHA384) == .ecdsa(.sha384))
        var weak = sha256WithRSA
        weak[12] = 0x05 // SHA-1
        let withoutNull: [UInt8] = [0x30, 0x0B] + sha256WithRSA[2..<13]
        for other in [weak, withoutNull, sha256WithRSA + [0], [], Array(ecdsaWithSHA384.dropLast())] {
            #expect(CertificateAlgorithm(algorithmIdentifier: other) == nil)
        }
    }
}
