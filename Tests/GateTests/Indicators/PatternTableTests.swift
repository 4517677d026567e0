import Foundation
import Gate
import Testing

/// docs/lane.md tells people how each signal looks and sounds; it is held against the code.
@Suite("docs/lane.md shows the shipped patterns (L2)") struct PatternTableTests {
    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/lane.md")

    /// The rows of the table, by signal: steps, and what comes after the last one.
    private static func rows() throws -> [String: (steps: [String], then: String)] {
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let table = lines.drop { !$0.hasPrefix("| signal |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
        return Dictionary(uniqueKeysWithValues: table.map { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let steps = cells[3].split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
            return (cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "`")), (steps, cells[4]))
        })
    }

    private static func text(_ step: PatternStep) -> String {
        (step.lamps.isEmpty ? "off" : step.lamps.lamps.map(\.rawValue).joined(separator: "+")) + " \(step.length)"
    }

    @Test func everySignalIsThereAsItIsPlayed() throws {
        let rows = try Self.rows()
        #expect(Set(rows.keys) == Set(Signal.allCases.map(\.rawValue)))
        for signal in Signal.allCases {
            let pattern = Patterns.shipped(signal)
            #expect(rows[signal.rawValue]?.steps == pattern.steps.map(Self.text), "\(signal)")
            #expect(rows[signal.rawValue]?.then == (pattern.repeats ? "again" : "stays"), "\(signal)")
        }
    }
}
