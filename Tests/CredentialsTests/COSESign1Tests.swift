import Credentials
import Cryptography
import Encoding
import Testing

@Suite struct COSESign1Tests {
    @Test(arguments: COSEVector.load("sign-pass-01", "sign-pass-02", "sign-pass-03", "ecdsa-sig-01", "eddsa-sig-01", "Appendix_C_2_1", "A_3"))
    func accepts(_ vector: COSEVector) throws {
        let signed = try COSESign1(parsing: vector.encoded, allowsTag: true)
        #expect(try signed.toBeSigned(externalAAD: vector.external) == vector.toBeSigned)
        #expect(try signed.verify(with: vector.key, externalAAD: vector.external))
        #expect(try !signed.verify(with: vector.key, externalAAD: vector.external + [0]))
        #expect(try !signed.verify(with: SigningKey.generate().publicKey, externalAAD: vector.external))
    }

    @Test(arguments: COSEVector.load("sign-fail-02", "sign-fail-03", "sign-fail-04", "sign-fail-06", "sign-fail-07", "ecdsa-sig-04"))
    func refuses(_ vector: COSEVector) throws {
        let signed = try COSESign1(parsing: vector.encoded, rules: .wellFormed, allowsTag: true)
        #expect(try !signed.verify(with: vector.key, externalAAD: vector.external))
    }

    @Test(arguments: COSEVector.load("sign-fail-01")) func refusesAnotherTag(_ vector: COSEVector) throws {
        #expect(throws: COSEError.wrongTag(998)) { try COSESign1(parsing: vector.encoded, allowsTag: true) }
    }

    @Test func tagOnlyWhereAllowed() throws {
        let key = try SigningKey.generate()
        let untagged = try COSESign1.sign(payload: [1], key: key).encoded
        #expect(try COSESign1(parsing: [0xD2] + untagged, allowsTag: true) == COSESign1(parsing: untagged))
        #expect(throws: COSEError.wrongTag(18)) { try COSESign1(parsing: [0xD2] + untagged) }
        #expect(throws: COSEError.wrongTag(61)) { try COSESign1(parsing: [0xD8, 61, 0xD2] + untagged, allowsTag: true) }
    }

    @Test(arguments: [Curve.p256, .ed25519]) func signedComesBack(_ curve: Curve) throws {
        let key = try SigningKey.generate(curve)
        let signed = try COSESign1.sign(payload: [1, 2], protected: [3: "x"], unprotected: [4: .bytes([7])], externalAAD: [9], key: key)
        let again = try COSESign1(parsing: signed.encoded)
        #expect(again == signed)
        #expect(again.algorithm == key.algorithm)
        #expect(again.verify(with: key.publicKey, externalAAD: [9]))
        #expect(!again.verify(with: key.publicKey))
    }

    /// A signature that is good under the key's own algorithm, in a structure that names another or none.
    @Test func algorithmMustBeTheKeys() throws {
        let key = try SigningKey.generate(.ed25519)
        let headers: [[UInt8]] = [[0xA1, 0x01, 0x26], [0xA1, 0x01, 0x38, 0x22], [0xA1, 0x01, 0x27]]
        let verdicts = try headers.map { header in
            let signature = try key.sign([0x84, 0x6A] + Array("Signature1".utf8) + [0x43 + UInt8(header.count - 3)] + header + [0x40, 0x41, 0x05])
            let structure: CBOR = [.bytes(header), [:], .bytes([5]), .bytes(signature)]
            return try COSESign1(parsing: structure.encoded).verify(with: key.publicKey)
        }
        #expect(verdicts == [false, false, true])
    }

    /// RFC 9052, 3: what is signed of an empty protected header is the empty string in either form.
    @Test func emptyProtectedHeaderInBothForms() throws {
        let long = try COSESign1(parsing: [0x84, 0x41, 0xA0, 0xA0, 0x40, 0x40])
        let short = try COSESign1(parsing: [0x84, 0x40, 0xA0, 0x40, 0x40])
        #expect(long.toBeSigned() == short.toBeSigned())
        #expect(short.algorithm == nil)
    }

    @Test func malformed() throws {
        let cases: [([UInt8], COSEError)] = [
            ([], .notCBOR(CBORError(.truncated, at: 0))), ([0x84], .notCBOR(CBORError(.truncated, at: 0))), ([0xA0], .notSign1), ([0x01], .notSign1),
            ([0x83, 0x40, 0xA0, 0x40], .notSign1), ([0x85, 0x40, 0xA0, 0x40, 0x40, 0x40], .notSign1), ([0x84, 0xA0, 0xA0, 0x40, 0x40], .notSign1),
            ([0x84, 0x40, 0x40, 0x40, 0x40], .notSign1), ([0x84, 0x40, 0xA0, 0x60, 0x40], .notSign1), ([0x84, 0x40, 0xA0, 0x40, 0x60], .notSign1),
            ([0x84, 0x40, 0xA0, 0xF6, 0x40], .detachedPayload), ([0x84, 0x41, 0x01, 0xA0, 0x40, 0x40], .notSign1),
            ([0x84, 0x43, 0xA1, 0x01, 0x26, 0xA1, 0x01, 0x26, 0x40, 0x40], .duplicateHeader),
            ([0x84, 0x44, 0xA1, 0x02, 0x81, 0x04, 0xA0, 0x40, 0x40], .criticalHeader), ([0x84, 0x40, 0xA1, 0x02, 0x81, 0x04, 0x40, 0x40], .criticalHeader),
            ([0x84, 0x41, 0xA1, 0xA0, 0x40, 0x40], .notCBOR(CBORError(.truncated, at: 0)))
        ]
        for (bytes, expected) in cases {
            do throws(COSEError) {
                _ = try COSESign1(parsing: bytes)
                Issue.record("accepted \(bytes)")
            } catch {
                #expect(error.code == expected.code, "\(bytes)")
            }
        }
    }

    @Test func errorsHaveCodesAndSentences() {
        let errors: [COSEError] = [.notCBOR(CBORError(.truncated, at: 0)), .notSign1, .wrongTag(1), .duplicateHeader, .criticalHeader,
                                   .detachedPayload, .notAKey, .unsupportedKey, .invalidPoint, .signingFailed]
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.allSatisfy { $0.message.hasSuffix(".") })
    }
}
