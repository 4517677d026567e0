import Cryptography
import Encoding
import Foundation
import Testing

@Suite struct KeyFileTests {
    /// One pair for each role, use and curve that go together.
    static let kinds: [(KeyRole, KeyUse, Curve)] = KeyRole.allCases.flatMap { role in
        KeyUse.allCases.flatMap { use in
            Curve.allCases.compactMap { curve in role.fits(use) && curve.fits(use) ? (role, use, curve) : nil }
        }
    }

    private func material(_ use: KeyUse, _ curve: Curve) throws -> KeyMaterial {
        switch use {
        case .sign: .signing(try SigningKey.generate(curve))
        case .agree: .agreement(try AgreementKey.generate(curve))
        }
    }

    @Test(arguments: kinds) func comesBackAsItWasWritten(_ kind: (KeyRole, KeyUse, Curve)) throws {
        let file = try KeyFile(role: kind.0, material: material(kind.1, kind.2))
        let again = try KeyFile(parsing: file.text())
        #expect(again.role == kind.0)
        #expect(again.use == kind.1)
        #expect(again.curve == kind.2)
        #expect(again.publicKey == file.publicKey)
        #expect((again.signingKey != nil) == (kind.1 == .sign))
        #expect((again.agreementKey != nil) == (kind.1 == .agree))
        #expect(try again.text() == file.text())
        if let key = again.signingKey { #expect(try file.publicKey.verify(key.sign([1]), over: [1])) }
        let half = try KeyFile(parsing: file.publicFile.text())
        #expect(half.publicKey == file.publicKey)
        #expect(half.use == kind.1)
        #expect(half.signingKey == nil && half.agreementKey == nil)
    }

    @Test func theTextIsReadable() throws {
        let file = try KeyFile(role: .site, material: .signing(SigningKey.generate()))
        let lines = try #require(String(bytes: file.text(), encoding: .utf8)).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "-----BEGIN TAPSTILE PRIVATE KEY-----")
        #expect(lines.dropLast().last == "-----END TAPSTILE PRIVATE KEY-----")
        #expect(lines.last == "")
        #expect(lines.allSatisfy { $0.count <= 64 })
    }

    @Test func anEditorMayAddSpacesAndCarriageReturns() throws {
        let file = try KeyFile(role: .site, material: .signing(SigningKey.generate()))
        let text = try #require(String(bytes: file.text(), encoding: .utf8))
        let edited = "\n" + text.replacingOccurrences(of: "\n", with: " \r\n") + "\n"
        #expect(try KeyFile(parsing: Array(edited.utf8)).publicKey == file.publicKey)
    }

    /// A gate's agreement key must not sign, an issuer's key must not agree.
    @Test func rolesThatDoNotFitTheUseAreRefused() throws {
        #expect(throws: KeyFileError.role) { try KeyFile(role: .gateAgreement, material: .signing(SigningKey.generate())) }
        for role in KeyRole.allCases where !role.fits(.agree) {
            #expect(throws: KeyFileError.role) { try KeyFile(role: role, material: .agreement(AgreementKey.generate())) }
        }
    }

    @Test func armourFaults() throws {
        let file = try KeyFile(role: .site, material: .signing(SigningKey.generate()))
        let text = try #require(String(bytes: file.text(), encoding: .utf8))
        for broken in ["", "x", text.replacingOccurrences(of: "BEGIN", with: "begin"), text.replacingOccurrences(of: "END", with: "FIN"),
                       text.replacingOccurrences(of: "END TAPSTILE PRIVATE", with: "END TAPSTILE PUBLIC"),
                       text.replacingOccurrences(of: "KEY-----\n", with: "KEY-----\n!"), "x" + text, text + "x"] {
            #expect(throws: KeyFileError.armour) { try KeyFile(parsing: Array(broken.utf8)) }
        }
        #expect(throws: KeyFileError.armour) { try KeyFile(parsing: [0xFF, 0xFE]) }
        #expect(throws: KeyFileError.tooLong) { try KeyFile(parsing: [UInt8](repeating: 0x20, count: KeyFile.longest + 1)) }
    }

    @Test func privateTextInPublicArmourIsRefused() throws {
        let file = try KeyFile(role: .site, material: .signing(SigningKey.generate()))
        let secret = try #require(String(bytes: file.text(), encoding: .utf8))
        let open = try #require(String(bytes: file.publicFile.text(), encoding: .utf8))
        #expect(throws: KeyFileError.wrongHalf) { try KeyFile(parsing: Array(secret.replacingOccurrences(of: "PRIVATE", with: "PUBLIC").utf8)) }
        #expect(throws: KeyFileError.wrongHalf) { try KeyFile(parsing: Array(open.replacingOccurrences(of: "PUBLIC", with: "PRIVATE").utf8)) }
    }

    @Test func contentFaults() throws {
        let other = try SigningKey.generate().publicKey
        let cases: [(KeyFileError, (inout CBORMap) -> Void)] = [
            (.encoding, { $0[1] = nil }), (.encoding, { $0[4] = nil }), (.encoding, { $0[-65537] = nil }), (.encoding, { $0[-2] = nil }),
            (.unsupportedKey, { $0[1] = 1 }), (.unsupportedKey, { $0[-1] = 2 }), (.unsupportedKey, { $0[-3] = nil }),
            (.unsupportedKey, { $0[4] = [7, 1] }), (.unsupportedKey, { $0[4] = [2] }), (.role, { $0[4] = [7] }),
            (.role, { $0[-65537] = "king" }), (.inconsistent, { $0[-2] = .bytes([UInt8](repeating: 1, count: 32)) }),
            (.inconsistent, { $0[-2] = .bytes([1]) }), (.inconsistent, { $0[-4] = .bytes([UInt8](repeating: 0, count: 32)) }),
            (.inconsistent, { $0[-4] = .bytes([UInt8](repeating: 1, count: 31)) }), (.wrongHalf, { $0[-4] = nil; $0[4] = [2] }),
            (.inconsistent, { $0[-2] = .bytes(other.x); $0[-3] = .bytes(other.y ?? []) })
        ]
        let file = try KeyFile(role: .site, material: .signing(SigningKey.generate()))
        for (index, (error, change)) in cases.enumerated() {
            var map = try content(of: file)
            change(&map)
            #expect(throws: error, "case \(index)") { try KeyFile(parsing: text(of: .map(map))) }
        }
        #expect(throws: KeyFileError.encoding) { try KeyFile(parsing: text(of: 1)) }
    }

    /// Such a gate is anybody, and such a site key signs for anybody.
    @Test func aKeyThatEverybodyHasIsNobodysWhateverItsRole() throws {
        let everybodys = try SigningKey(rawPrivate: [UInt8](repeating: 0, count: 31) + [1], curve: .p256)
        for role in [KeyRole.site, .gateSigning, .phone] {
            let file = try KeyFile(role: role, material: .signing(everybodys))
            #expect(throws: KeyFileError.wellKnown) { try KeyFile(parsing: file.text()) }
            #expect(throws: KeyFileError.wellKnown) { try KeyFile(parsing: file.publicFile.text()) }
        }
    }

    @Test func errorsHaveCodesAndSentences() {
        let errors: [KeyFileError] = [.tooLong, .armour, .encoding, .unsupportedKey, .role, .inconsistent, .wellKnown, .wrongHalf]
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.allSatisfy { $0.message.hasSuffix(".") })
    }

    private func content(of file: KeyFile) throws -> CBORMap {
        let lines = try #require(String(bytes: file.text(), encoding: .utf8)).split(separator: "\n")
        return try #require(CBOR.decode(Base64.decode(lines[1..<(lines.count - 1)].joined())).map)
    }

    private func text(of item: CBOR) -> [UInt8] {
        Array("-----BEGIN TAPSTILE PRIVATE KEY-----\n\(Base64.encode(item.encoded))\n-----END TAPSTILE PRIVATE KEY-----\n".utf8)
    }
}
