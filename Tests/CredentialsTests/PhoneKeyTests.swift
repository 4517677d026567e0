import Credentials
import Cryptography
import Encoding
import Foundation
import Testing

/// Public keys of phones in the forms that phones and tools write (Vectors/phone-keys.tsv).
@Suite struct PhoneKeyTests {
    private static let values: [String: [UInt8]] = {
        let folder = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let text = (try? String(contentsOf: folder.appending(path: "Vectors/phone-keys.tsv"), encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t").map(String.init) }
        return Dictionary(lines.map { ($0[0], (try? Hex.decode($0[1])) ?? []) }) { first, _ in first }
    }()

    private static func value(_ name: String) throws -> [UInt8] { try #require(values[name]) }

    /// The key of the private value 1: the generator of the curve.
    private static let x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    private static let y = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"

    private static func generator() throws -> PublicKey { try PublicKey(curve: .p256, x: Hex.decode(x), y: Hex.decode(y)) }

    private static func refusal(_ bytes: [UInt8]) -> PhoneKeyError? {
        do throws(PhoneKeyError) {
            _ = try PhoneKey(parsing: bytes)
            return nil
        } catch {
            return error
        }
    }

    private static func refusal(_ text: String) -> PhoneKeyError? { refusal(Array(text.utf8)) }

    @Test(arguments: ["pem", "der", "pem-compressed", "der-compressed"]) func whatOpenSSLWritesIsRead(name: String) throws {
        let bytes = try Self.value(name)
        #expect(try PhoneKey(parsing: bytes) == PhoneKey(key: Self.generator()), "neither PEM nor DER say the use")
        if name.hasPrefix("pem") {
            let crlf = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\n", with: "\r\n")
            #expect(try PhoneKey(parsing: Array("\n\(crlf)\n\n".utf8)).key == Self.generator())
        } else {
            #expect(try PhoneKey(parsing: Array("\(Hex.encode(bytes))\n".utf8)).key == Self.generator())
        }
    }

    @Test(arguments: [KeyUse.sign, .agree, nil] as [KeyUse?]) func eachFormIsReadAsItIsWritten(use: KeyUse?) throws {
        let key = PhoneKey(key: try Self.generator(), use: use)
        for form in PhoneKeyForm.allCases {
            // Ours takes no key that everybody has.
            let key = form == .tapstile ? PhoneKey(key: try SigningKey.generate(.p256).publicKey, use: use) : key
            let read = try PhoneKey(parsing: key.encoded(as: form))
            #expect(read.key == key.key && read.keyIdentifier == nil, "\(form)")
            switch form {
            case .pem, .der, .point: #expect(read.use == nil)
            case .jwk, .cose: #expect(read.use == use)
            case .tapstile: #expect(read.use == use ?? .sign)
            }
        }
        #expect(try PhoneKey(parsing: [0xEF, 0xBB, 0xBF] + Self.value("pem")).key == key.key, "as Windows keeps it")
        #expect(try PhoneKey(parsing: Array(Base64.encode(Self.value("der")).utf8)).key == key.key, "the middle of a PEM file")
        #expect(try key.encoded(as: .der) == Self.value("der") && key.encoded(as: .pem) == Self.value("pem"), "as OpenSSL writes them")
    }

    // A secret by mistake ------------------------------------------------------------------------------

    static let secrets = ["sec1", "sec1-pem", "pkcs8", "pkcs8-pem", "pkcs8-encrypted", "pkcs8-encrypted-pem", "parameters-and-sec1", "sec1-with-text"]

    @Test(arguments: secrets) func aPrivateKeyGivenByMistakeIsCalledOne(name: String) throws {
        let bytes = try Self.value(name)
        #expect(Self.refusal(bytes) == .privateKey)
        if bytes.first == 0x30 {
            #expect(Self.refusal(Hex.encode(bytes)) == .privateKey, "in hexadecimal too")
            #expect(Self.refusal(Base64.encode(bytes)) == .privateKey, "and without its armour")
        } else {
            #expect(Self.refusal([0xEF, 0xBB, 0xBF] + bytes) == .privateKey, "as Windows keeps it")
            #expect(Self.refusal("  " + String(decoding: bytes, as: UTF8.self)) == .privateKey, "and indented")
        }
    }

    @Test func aPrivateKeyOfOtherFormsIsCalledOne() throws {
        let ours = try KeyFile(role: .phone, making: .sign).text()
        #expect(Self.refusal(ours) == .privateKey, "our own too")
        #expect(Self.refusal([0x04] + [UInt8](repeating: 7, count: 96)) == .privateKey, "x, y and the private value")
        #expect(Self.refusal(#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AQ"}"#) == .privateKey)
        #expect(Self.refusal(#"{"kty":"oct","k":"AQ"}"#) == .privateKey)
        #expect(Self.refusal(#"{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AQ"}]}"#) == .privateKey, "in a set, too")
        let cose: CBOR = [1: 2, -1: 1, -2: .bytes([1]), -3: .bytes([1]), -4: .bytes([1])]
        #expect(Self.refusal(cose.encoded) == .privateKey)
        let symmetric: CBOR = [1: 4, -1: .bytes([1, 2, 3])]
        #expect(Self.refusal(symmetric.encoded) == .privateKey)
    }

    @Test func nothingOfASecretIsSaid() throws {
        let secret = String(repeating: "5", count: 43)
        let jwk = "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(secret)\",\"y\":\"\(secret)\",\"d\":\"\(secret)\"}"
        let error = try #require(Self.refusal(jwk))
        #expect(error == .privateKey && error.message.hasPrefix("THIS IS A PRIVATE KEY"))
        #expect(!"\(error) \(error.message)".contains(secret))
    }

    // What is no key -----------------------------------------------------------------------------------

    static let others: [(String, PhoneKeyError)] = [
        ("p384", .wrongCurve), ("secp256k1", .wrongCurve), ("ed25519", .wrongCurve), ("rsa", .wrongCurve), ("rsa-pkcs1", .wrongCurve),
        ("explicit", .wrongCurve), ("hybrid", .malformed(.der)), ("certificate", .certificate), ("certificate-pem", .certificate)
    ]

    @Test(arguments: others) func otherKeysAreRefusedForWhatTheyAre(name: String, error: PhoneKeyError) throws {
        #expect(Self.refusal(try Self.value(name)) == error)
    }

    @Test func nothingStandsBesideAKey() throws {
        let pem = String(decoding: try Self.value("pem"), as: UTF8.self), der = try Self.value("der")
        #expect(Self.refusal(pem + pem) == .several)
        #expect(Self.refusal("Public-Key: (256 bit)\n" + pem) == .trailingBytes)
        #expect(Self.refusal(pem + "x") == .trailingBytes)
        #expect(Self.refusal(der + [0]) == .trailingBytes)
        #expect(Self.refusal(try PhoneKey(key: Self.generator()).encoded(as: .cose) + [0]) == .trailingBytes)
        let jwk = String(decoding: try PhoneKey(key: Self.generator()).encoded(as: .jwk), as: UTF8.self)
        #expect(Self.refusal(jwk + jwk) == .trailingBytes)
        #expect(Self.refusal("{\"keys\":[\(jwk)]}") == .several)
    }

    @Test func aPointThatIsNotOnTheCurve() throws {
        var der = try Self.value("der")
        der[der.count - 1] ^= 1
        #expect(Self.refusal(der) == .pointNotOnCurve)
        #expect(Self.refusal("04" + String(repeating: "11", count: 64)) == .pointNotOnCurve)
        // No point of P-256 has this x.
        #expect(Self.refusal("02" + String(repeating: "00", count: 31) + "01") == .pointNotOnCurve)
        let x = Base64.encode(try Hex.decode(Self.x), .url)
        #expect(Self.refusal("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(x)\",\"y\":\"\(x)\"}") == .pointNotOnCurve)
        let cose: CBOR = [1: 2, -1: 1, -2: .bytes(try Hex.decode(Self.x)), -3: .bytes(try Hex.decode(Self.x))]
        #expect(Self.refusal(cose.encoded) == .pointNotOnCurve)
    }

    @Test func whatIsNoKeyAtAll() throws {
        for text in ["", " ", "\n", "anna", "ssh-ed25519 AAAA", "[]", "04a", "05" + Self.x, "30", "3000", "a0", "{", "{}", "{\"kty\":3}", "04"] {
            #expect(Self.refusal(text) != nil, "\(text)")
        }
        #expect(Self.refusal([UInt8](repeating: 0x20, count: PhoneKey.longest + 1)) == .tooLong)
        #expect(Self.refusal("-----BEGIN PUBLIC KEY-----\n!\n-----END PUBLIC KEY-----") == .malformed(.pem))
        #expect(Self.refusal("-----BEGIN TAPSTILE PUBLIC KEY-----\n!\n-----END TAPSTILE PUBLIC KEY-----") == .keyFile(.armour))
        #expect(Self.refusal(try KeyFile(role: .site, making: .sign).publicFile.text()) == .wrongRole(.site))
        // A claims set goes elsewhere.
        #expect(Self.refusal(ConfirmedKeyCredential(key: COSEKey(key: try Self.generator())).raw) == .malformed(.cose))
    }

    // What a key is for --------------------------------------------------------------------------------

    private static func jwk(_ more: String) throws -> PhoneKey {
        let x = Base64.encode(try Hex.decode(Self.x), .url), y = Base64.encode(try Hex.decode(Self.y), .url)
        return try PhoneKey(parsing: Array("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(x)\",\"y\":\"\(y)\"\(more)}".utf8))
    }

    @Test(arguments: [
        ("", nil), (#","use":"sig""#, .sign), (#","use":"enc""#, .agree), (#","alg":"ES256""#, .sign), (#","alg":"ECDH-ES+A128KW""#, .agree),
        (#","key_ops":["verify"],"ext":true"#, .sign), (#","key_ops":[],"ext":true"#, .agree), (#","key_ops":["deriveBits"]"#, .agree),
        (#","key_ops":["verify"],"use":"sig","alg":"ES256","kid":"anna's phone""#, .sign)
    ] as [(String, KeyUse?)]) func aJWKSaysWhatItIsFor(more: String, use: KeyUse?) throws {
        let key = try Self.jwk(more)
        #expect(try key.use == use && key.key == Self.generator() && key.keyIdentifier == nil, "its kid is a name in another world")
    }

    @Test(arguments: [#","use":"sig","key_ops":[]"#, #","use":"both""#, #","key_ops":["verify","deriveKey"]"#, #","alg":"ES384""#, #","use":3"#])
    func aJWKThatContradictsItself(more: String) {
        #expect(throws: PhoneKeyError.unclearUse) { try Self.jwk(more) }
    }

    @Test func aCOSEKeySaysWhatItIsForAndItsName() throws {
        func key(_ more: [(CBOR, CBOR)]) throws -> PhoneKey {
            let point: [(CBOR, CBOR)] = [(1, 2), (-1, 1), (-2, .bytes(try Hex.decode(Self.x))), (-3, .bytes(try Hex.decode(Self.y)))]
            return try PhoneKey(parsing: CBOR.map(CBORMap(point + more)).encoded)
        }
        #expect(try key([]) == PhoneKey(key: Self.generator()))
        #expect(try key([(2, .bytes([7])), (4, [2])]) == PhoneKey(key: Self.generator(), use: .sign, keyIdentifier: [7]))
        #expect(try key([(3, -7)]).use == .sign && key([(3, -25)]).use == .agree && key([(4, [])]).use == .agree)
        let contradictions: [[(CBOR, CBOR)]] = [[(3, -7), (4, [])], [(3, -35)], [(3, "ES256")], [(4, [2, 7])]]
        for contradiction in contradictions {
            #expect(throws: PhoneKeyError.unclearUse) { try key(contradiction) }
        }
        let compressed: CBOR = [1: 2, -1: 1, -2: .bytes(try Hex.decode(Self.x)), -3: true]
        #expect(try PhoneKey(parsing: compressed.encoded).key == Self.generator(), "a sign bit in the place of y")
    }
}
