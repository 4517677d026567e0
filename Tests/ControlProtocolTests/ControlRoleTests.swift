import ControlProtocol
import Foundation
import Testing

/// Who may send what: the table of the code is that of docs/control.md.
@Suite("Roles on the control socket") struct ControlRoleTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs/control.md")

    /// The words of one role's row.
    private static func documented(_ role: ControlRole) throws -> [String] {
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| \(role.word) |") }
        let row = try #require(rows.first, "no row for \(role.word)")
        #expect(rows.count == 1)
        let cell = try #require(row.split(separator: "|").last { !$0.allSatisfy(\.isWhitespace) })
        return cell.matches(of: /`([a-z-]+)`/).map { String($0.1) }
    }

    @Test(arguments: ControlRole.allCases) func thePageSaysWhatARoleMaySend(role: ControlRole) throws {
        #expect(try Self.documented(role).sorted() == ControlCommand.allCases.filter { $0.leastRole == role }.map(\.rawValue).sorted())
    }

    @Test func everyRoleMayDoWhatThoseBeforeItMay() {
        #expect(ControlRole.allCases == ControlRole.allCases.sorted())
        #expect(ControlRole.allCases.map(\.word) == ["observer", "maintainer", "operator", "root"])
    }

    /// The least that the roles are there for.
    @Test(arguments: [
        (ControlCommand.journal, ControlRole.maintainer), (.passback, .maintainer), (.explain, .maintainer), (.laneAct, .operator), (.testLane, .operator),
        (.journalCollected, .operator), (.passbackReset, .operator), (.simulate, .operator), (.clockResetFloor, .root)
    ])
    func noNameForObserversAndNoRelayForMaintainers(command: ControlCommand, least: ControlRole) {
        #expect(command.leastRole == least)
    }
}
