import Credentials
import Cryptography
import Encoding
import Testing

/// Tokens with a good signature of their issuer and a wrong form: all are `malformed`.
@Suite struct MalformedTokenTests {
    let fixture: TokenFixture
    init() throws { fixture = try TokenFixture() }

    private func fault(_ change: (inout CBORMap) -> Void) throws -> TokenError? {
        let raw = try fixture.signed(change)
        do throws(TokenError) {
            _ = try Token(parsing: raw)
            return nil
        } catch {
            return error
        }
    }

    @Test func unchangedIsWell() throws { #expect(try fault { _ in } == nil) }

    @Test(arguments: [1, 2, 3, 4, 5, 7, 8] as [Int64]) func mandatoryClaimMissing(_ label: Int64) throws {
        #expect(try fault { $0[CBOR(label)] = nil } == .claim(label: label))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 9, -65537] as [Int64]) func claimOfWrongType(_ label: Int64) throws {
        for value: CBOR in [.null, .map([:]), .array([]), .float(1.5), .tagged(1, 5)] {
            #expect(try fault { $0[CBOR(label)] = value } == .claim(label: label))
        }
    }

    @Test func emptyAndOverlongTexts() throws {
        for label: CBOR in [1, 2, 3, 9] {
            #expect(try fault { $0[label] = "" } != nil)
            #expect(try fault { $0[label] = .text(String(repeating: "x", count: 257)) } != nil)
        }
    }

    /// An issuer whose key was stolen names people who forge a line of the journal, or pass for somebody else.
    @Test(arguments: ["anna\ngranted", "south\u{1B}[2K\u{1B}[1A", "an\u{200B}na", "\u{202E}anna", "anna ", "a\u{A0}b"])
    func aTokenWhoseNamesHideWhatTheyAreIsNone(name: String) throws {
        for (label, value) in [(1, .text(name)), (2, .text(name)), (3, .text(name)), (3, ["a", .text(name)])] as [(Int64, CBOR)] {
            let found = try fault { $0[CBOR(label)] = value }
            #expect(found?.code == "token-name-forbidden" && found == .name(label: label, try #require(NameRule.flaw(in: name))))
        }
        #expect(try fault { $0[9] = .text("tokn op\u{200B}en") }?.code == "token-name-forbidden")
        #expect(try fault { $0[2] = "Nguyễn Thị Ánh" } == nil)
    }

    @Test func audiences() throws {
        #expect(try fault { $0[3] = ["a", 1] } == .claim(label: 3))
        #expect(try fault { $0[3] = ["a", ""] } == .claim(label: 3))
        #expect(try fault { $0[3] = .array(.init(repeating: "a", count: 17)) } == .claim(label: 3))
        #expect(try fault { $0[3] = .array(.init(repeating: "a", count: 16)) } == nil)
    }

    @Test func timesAreWholeSecondsFromZero() throws {
        for label: CBOR in [4, 5, 6] {
            #expect(try fault { $0[label] = -1 } != nil)
            #expect(try fault { $0[label] = .unsigned(.max) } != nil)
            #expect(try fault { $0[label] = 0 } == nil)
        }
    }

    @Test func tokenNumbers() throws {
        #expect(try fault { $0[7] = .bytes([]) } == .claim(label: 7))
        #expect(try fault { $0[7] = .bytes([UInt8](repeating: 1, count: 65)) } == .claim(label: 7))
        #expect(try fault { $0[7] = .bytes([UInt8](repeating: 1, count: 64)) } == nil)
    }

    @Test func scopes() throws {
        for scope in [" ", "a ", " a", "a  b", String(repeating: "a ", count: 32) + "a"] {
            #expect(try fault { $0[9] = .text(scope) } == .claim(label: 9))
        }
        #expect(try fault { $0[9] = "a b" } == nil)
    }

    @Test func confirmationKeys() throws {
        let key = try #require(COSEKey(key: fixture.phoneKey.publicKey).cbor.map)
        func with(_ change: (inout CBORMap) -> Void) -> CBOR {
            var key = key
            change(&key)
            return [1: .map(key)]
        }
        let cases: [CBOR] = [
            1, .map([:]), [2: 1], [1: .map(key), 2: 1], [3: .bytes([1])], [1: 5], with { $0[-3] = true }, with { $0[-3] = nil },
            with { $0[-2] = .bytes([1]) }, with { $0[-2] = $0[-3] }, with { $0[-4] = .bytes([1]) }, with { $0[-1] = 2 }, with { $0[4] = [1, 7] }
        ]
        for (index, value) in cases.enumerated() { #expect(try fault { $0[8] = value } == .confirmationKey, "case \(index)") }
    }

    @Test func unknownClaimsAreIgnored() throws {
        #expect(try fault { $0[40] = "new"; $0["x"] = 1 } == nil)
    }

    @Test func claimsThatAreNoMap() throws {
        let raw = try COSESign1.sign(payload: [0x80], key: fixture.issuerKey).encoded
        #expect(throws: TokenError.claims) { try Token(parsing: raw) }
    }

    @Test func claimsThatAreNotDeterministic() throws {
        // 1 written in two bytes
        let raw = try COSESign1.sign(payload: [0xA1, 0x18, 0x01, 0x61, 0x61], key: fixture.issuerKey).encoded
        #expect(throws: TokenError.claims) { try Token(parsing: raw) }
    }

    @Test func algorithms() throws {
        let ed = try SigningKey.generate(.ed25519)
        let raw = try COSESign1.sign(payload: fixture.claims.cbor.encoded, key: ed).encoded
        #expect(throws: TokenError.algorithm) { try Token(parsing: raw) }
        #expect(throws: TokenError.algorithm) { try Token.issue(fixture.claims, key: ed) }
        let payload = CBOR.bytes(fixture.claims.cbor.encoded), signature = CBOR.bytes([UInt8](repeating: 1, count: 64))
        for header: CBOR in [.bytes([]), .bytes([0xA0]), .bytes([0xA1, 0x01, 0x28]), .bytes([0xA1, 0x01, 0x61, 0x61])] {
            #expect(throws: TokenError.algorithm) { try Token(parsing: CBOR.array([header, [:], payload, signature]).encoded) }
        }
        // The algorithm beside the signature instead of under it.
        #expect(throws: TokenError.algorithm) { try Token(parsing: CBOR.array([.bytes([]), [1: -7], payload, signature]).encoded) }
    }

    @Test func signatureLengths() throws {
        let payload = CBOR.bytes(fixture.claims.cbor.encoded)
        for length in [0, 63, 65, 70, 72, 128] {
            let raw = CBOR.array([.bytes([0xA1, 0x01, 0x26]), [:], payload, .bytes([UInt8](repeating: 1, count: length))]).encoded
            #expect(throws: TokenError.signatureLength) { try Token(parsing: raw) }
        }
    }

    @Test func tags() throws {
        let raw = try fixture.token().raw
        #expect(throws: TokenError.structure(.wrongTag(18))) { try Token(parsing: [0xD2] + raw) }
        #expect(throws: TokenError.structure(.wrongTag(61))) { try Token(parsing: [0xD8, 0x3D, 0xD2] + raw) }
    }

    @Test func criticalHeader() throws {
        let raw = try COSESign1.sign(payload: fixture.claims.cbor.encoded, protected: [2: [4]], key: fixture.issuerKey).encoded
        #expect(throws: TokenError.structure(.criticalHeader)) { try Token(parsing: raw) }
    }

    @Test func anIssuerDoesNotIssueWhatNobodyReads() throws {
        var claims = fixture.claims
        claims.subject = ""
        #expect(throws: TokenError.claim(label: 2)) { try Token.issue(claims, key: fixture.issuerKey) }
        claims = fixture.claims
        claims.audiences = []
        #expect(throws: TokenError.claim(label: 3)) { try Token.issue(claims, key: fixture.issuerKey) }
        claims = fixture.claims
        claims.scope = ["a b"]
        #expect(throws: TokenError.claims) { try Token.issue(claims, key: fixture.issuerKey) }
    }

    @Test func errorsHaveCodesAndSentences() {
        let errors: [TokenError] = [.tooLong, .structure(.notSign1), .algorithm, .unprotectedHeader, .signatureLength, .claims,
                                    .claim(label: 1), .confirmationKey]
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.allSatisfy { $0.message.hasSuffix(".") })
    }
}
