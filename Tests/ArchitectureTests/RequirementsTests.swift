import Foundation
import Testing

/// What the product must do, held against what its tests name (docs/requirements.md).
@Suite struct RequirementsTests {
    private struct Requirement {
        let number: String
        let state: String
    }

    private static let top = ArchitectureTests.top

    /// The rows of the tables; the last cell is the state.
    private static func requirements() throws -> [Requirement] {
        let text = try String(contentsOf: top.appendingPathComponent("docs/requirements.md"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count > 3, let letter = cells[1].first, letters.contains(letter), Int(cells[1].dropFirst()) != nil else { return nil }
            return Requirement(number: cells[1], state: cells[cells.count - 2])
        }
    }

    /// The numbers that stand in brackets in tests and stories of boards: `(T5)`, `(T2, T4–T6)`.
    private static func named() throws -> Set<String> {
        var named: Set<String> = []
        for folder in ["Tests", "lab"] {
            let walk = FileManager.default.enumerator(at: top.appendingPathComponent(folder), includingPropertiesForKeys: nil)
            let files = walk?.compactMap { $0 as? URL }.filter { ["swift", "py", ""].contains($0.pathExtension) } ?? []
            for file in files where !file.path.contains("/Vectors/") && !file.path.contains("/ArchitectureTests/") {
                // Folders are no text.
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                for piece in text.split(separator: "(").dropFirst() {
                    guard let first = piece.first, letters.contains(first), let end = piece.firstIndex(where: { "):;".contains($0) }) else { continue }
                    named.formUnion(numbers(in: String(piece[..<end])))
                }
            }
        }
        return named
    }

    /// What the numbers begin with.
    private static let letters: Set<Character> = ["T", "V", "S", "L", "A", "O"]

    /// `T2, T4–T6` are four.
    private static func numbers(in list: String) -> [String] {
        list.replacingOccurrences(of: " and ", with: ", ").components(separatedBy: ", ").flatMap { part -> [String] in
            let ends = part.components(separatedBy: "–")
            guard ends.count == 2, let letter = ends[0].first, let first = Int(ends[0].dropFirst()), let last = Int(ends[1].dropFirst()), first <= last
            else { return [part] }
            return (first...last).map { "\(letter)\($0)" }
        }
    }

    @Test func eachHasAState() throws {
        let requirements = try Self.requirements()
        #expect(requirements.count == 49)
        #expect(Set(requirements.map(\.number)).count == requirements.count, "each number once")
        for requirement in requirements {
            let isState = ["built", "planned"].contains(requirement.state) || requirement.state.hasPrefix("partly: ")
            #expect(isState, "\(requirement.number) is \"\(requirement.state)\": built, planned, or partly with what is missing")
        }
    }

    @Test func whatIsBuiltIsNamedInATest() throws {
        let named = try Self.named()
        for requirement in try Self.requirements() where requirement.state == "built" {
            #expect(named.contains(requirement.number), "\(requirement.number) is said to be built, and no test names it")
        }
    }

    @Test func listsOfNumbersAreRead() {
        #expect(Self.numbers(in: "T2, T4–T6 and O1") == ["T2", "T4", "T5", "T6", "O1"])
    }

    /// A reader of the front page is told the same.
    @Test func theFrontPageNamesWhatIsPlanned() throws {
        let text = try String(contentsOf: Self.top.appendingPathComponent("README.md"), encoding: .utf8)
        let state = text.components(separatedBy: "## State").last ?? ""
        for requirement in try Self.requirements() where requirement.state == "planned" {
            #expect(state.contains(requirement.number), "\(requirement.number) is planned, and the README does not say so")
        }
        let missing = state.components(separatedBy: "Not there yet:").last ?? ""
        for requirement in try Self.requirements() where requirement.state != "planned" {
            #expect(!missing.contains("(\(requirement.number))"), "\(requirement.number) is \(requirement.state), and the README says that it is missing")
        }
    }
}
