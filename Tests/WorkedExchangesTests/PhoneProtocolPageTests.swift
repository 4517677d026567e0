import Conversations
import Credentials
import Encoding
import Foundation
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
        let identifier = OnTouchProfile.applicationIdentifier.map { Hex.encode([$0]).uppercased() }
        let stated = [
            identifier.joined(separator: " "), identifier.joined(),
            "-\(OnTouchProfile.gateContextLabel), bstr", "-\(OnTouchProfile.phoneRequestLabel), bstr",
            "-\(OnTouchProfile.tokenLabel), bstr",
            "| \(OnTouchProfile.gateToPhoneKeyLabel) | 16 |", "| \(OnTouchProfile.gateToPhoneNonceLabel) | 13 |",
            "| \(OnTouchProfile.phoneToGateKeyLabel), \(OnTouchProfile.phoneToGateNonceLabel) |",
            "at most \(OnTouchProfile.maximumNameLength) bytes", "1 to \(OnTouchProfile.maximumCommandLength) bytes",
            "1 to \(OnTouchProfile.maximumLanguageLength) bytes", "null is `\(OnTouchProfile.defaultCommand)`",
            "up to \(PeerCredential.maximumCandidates) credentials are tried",
            "at most \(GateToken.longest) bytes",
            "16: \"\(GateToken.type)\"", "first \(TokenIdentifier.referenceLength) bytes of the token identifier"
        ]
        for text in stated { #expect(page.contains(text), "the page does not say: \(text)") }
    }

    @Test func everyReasonHasItsNumber() throws {
        let stated = try Self.rows().filter { $0.count >= 2 && Reason(rawValue: $0[0]) != nil && Int($0[1]) != nil }
        let numbers = stated.map { "\($0[0]) \($0[1])" }
        let known = Reason.allCases.sorted { $0.number < $1.number }.map { "\($0.code) \($0.number)" }
        #expect(numbers == known)
    }
}
