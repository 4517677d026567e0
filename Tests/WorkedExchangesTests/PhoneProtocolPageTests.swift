import Credentials
import Cryptography
import Encoding
import Foundation
import PhoneProtocol
import Testing

/// What docs/phone-protocol.md says in tables, held against the code.
@Suite struct PhoneProtocolPageTests {
    /// Cells of the tables' lines.
    static func rows() throws -> [[String]] {
        try page().split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }
    }

    static func page() throws -> String {
        try String(contentsOf: WorkedExchangesTests.top.appendingPathComponent("docs/phone-protocol.md"), encoding: .utf8)
    }

    @Test func theNumbersOnThePageAreThoseOfTheCode() throws {
        let page = try Self.page()
        let identifier = PhoneProtocolProfile.applicationIdentifier.map { Hex.encode([$0]).uppercased() }
        let stated = [
            identifier.joined(separator: " "), identifier.joined(),
            "-\(PhoneProtocolProfile.gateContextLabel), bstr", "-\(PhoneProtocolProfile.phoneRequestLabel), bstr",
            "-\(PhoneProtocolProfile.tokenLabel), bstr",
            "| \(PhoneProtocolProfile.gateToPhoneKeyLabel) | \(Self.lengths(\.keyLength)) |",
            "| \(PhoneProtocolProfile.gateToPhoneNonceLabel) | \(Self.lengths(\.nonceLength)) |",
            "| \(PhoneProtocolProfile.phoneToGateKeyLabel), \(PhoneProtocolProfile.phoneToGateNonceLabel) |",
            "at most \(PhoneProtocolProfile.maximumNameLength) bytes", "1 to \(PhoneProtocolProfile.maximumCommandLength) bytes",
            "1 to \(PhoneProtocolProfile.maximumLanguageLength) bytes", "null is `\(PhoneProtocolProfile.defaultCommand)`",
            "up to \(PeerCredential.maximumCandidates) credentials are tried",
            "at most \(GateToken.longest) bytes",
            "16: \"\(GateToken.type)\"", "first \(TokenIdentifier.referenceLength) bytes of the token identifier"
        ]
        for text in stated { #expect(page.contains(text), "the page does not say: \(text)") }
    }

    /// Cells of a length of the application AEAD, in suites 2, 5 and 6.
    private static func lengths(_ length: KeyPath<AEADAlgorithm, Int>) -> String {
        [CipherSuite.suite2, .suite5, .suite6].map { "\($0.applicationAEAD[keyPath: length])" }.joined(separator: " | ")
    }

    @Test(arguments: CipherSuite.ofGates) func everySuiteHasItsLengths(suite: CipherSuite) throws {
        func lengths(_ algorithm: AEADAlgorithm) -> String { "\(algorithm.keyLength), \(algorithm.nonceLength), \(algorithm.tagLength)" }
        let rows = try Self.rows()
        let row = try #require(rows.first(where: { $0.count == 9 && $0[0] == "\(suite.rawValue)" }))
        #expect(row[2] == "\(suite.aead.rawValue)" && row[3] == lengths(suite.aead))
        #expect(row[4] == "\(suite.macLength)")
        #expect(row[5] == (suite.agreementCurve == .p256 ? "x on P-256" : "X25519"))
        #expect(row[7] == "\(suite.applicationAEAD.rawValue)" && row[8] == lengths(suite.applicationAEAD))
    }

    @Test func everyReasonHasItsNumber() throws {
        let stated = try Self.rows().filter { $0.count >= 2 && Reason(rawValue: $0[0]) != nil && Int($0[1]) != nil }
        let numbers = stated.map { "\($0[0]) \($0[1])" }
        let known = Reason.allCases.sorted { $0.number < $1.number }.map { "\($0.code) \($0.number)" }
        #expect(numbers == known)
    }
}
