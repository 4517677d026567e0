import Credentials
import Foundation
import Testing

/// What docs/phone-protocol.md says in tables, held against the code.
@Suite struct PhoneProtocolPageTests {
    /// Cells of the tables' lines.
    static func rows() throws -> [[String]] {
        let page = try String(
            contentsOf: WorkedExchangesTests.top.appendingPathComponent("docs/phone-protocol.md"), encoding: .utf8)
        return page.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }
    }

    @Test func everyReasonHasItsNumber() throws {
        let stated = try Self.rows().filter { $0.count >= 2 && Reason(rawValue: $0[0]) != nil && Int($0[1]) != nil }
        let numbers = stated.map { "\($0[0]) \($0[1])" }
        let known = Reason.allCases.sorted { $0.number < $1.number }.map { "\($0.code) \($0.number)" }
        #expect(numbers == known)
    }
}
