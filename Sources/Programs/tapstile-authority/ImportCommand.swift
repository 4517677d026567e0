import Authority
import CommandLineOptions
import Encoding

/// `import FILE.csv [--check]`.
enum ImportCommand {
    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> CommandEnd {
        let isCheck = command.has("check"), mostLost = try command.mostLost()
        do throws(AuthorityError) {
            let done = try authority.importPeople(at: command.operand(0) ?? "", isRehearsal: isCheck, mostLost: mostLost, now: now)
            return .done(report(done, isCheck))
        } catch {
            guard command.has("json"), case .importRefused(let refused) = error else { throw error }
            StandardStream.output.write(json(refused))
            return .written(.failure)
        }
    }

    private static func report(_ done: ImportedPeople, _ isCheck: Bool) -> Report {
        let counts: [(String, JSON)] = [
            ("imported", .bool(!isCheck)), ("lines", JSON(done.lines)), ("added", JSON(done.added)), ("changed", JSON(done.changed)),
            ("unchanged", JSON(done.unchanged)), ("removed", JSON(done.removed)), ("joined", JSON(done.joined)), ("left", JSON(done.left)),
            ("leftOut", JSON(done.leftOut)),
            ("groupsWithoutRule", done.unusedGroups.isEmpty ? .null : .array(done.unusedGroups.map(JSON.string))),
        ]
        let warned = [("warnings", ShownSome(done.warnings.map(\.description), of: done.warningCount).json, warnings(done))]
        guard isCheck else { return Report("Took a list of people.", counts, and: warned) }
        let changes = [("gains", done.gains), ("loses", done.losses)]
        return Report("The list is in order; nothing was kept.", counts, and: changes.map { ($0, json($1), lines($0, $1)) } + warned)
    }

    /// Who gains or loses what, to programs.
    private static func json(_ changes: RightsChanges) -> JSON {
        let told: [JSON] = changes.first.map { change in
            ["subject": .string(change.subject), "by": .string(change.holding), "what": .array(change.what.map(JSON.string))]
        }
        return ["count": JSON(changes.count), "first": .array(told)]
    }

    /// The same to people.
    private static func lines(_ word: String, _ changes: RightsChanges) -> [String] {
        let rest = changes.count - changes.first.count
        return changes.first.map { "\(word): \($0.description)" } + (rest > 0 ? ["\(word): \(rest) more"] : [])
    }

    private static func warnings(_ done: ImportedPeople) -> [String] {
        let rest = done.warningCount - done.warnings.count
        return done.warnings.map { "warning: \($0.description)" } + (rest > 0 ? ["warning: \(rest) more"] : [])
    }

    /// Programs get each error as it is.
    private static func json(_ refused: RefusedImport) -> JSON {
        let errors: [JSON] = refused.issues.map { issue in
            ["line": JSON(issue.position.line), "column": JSON(issue.position.column), "code": .string(issue.code), "message": .string(issue.message)]
        }
        return ["imported": false, "file": .string(refused.path), "errors": .array(errors), "errorCount": JSON(refused.count)]
    }
}

extension ParsedCommand {
    /// How many percent of what is there a list may take away (`--max-loss`); nil: somebody says that it is meant (`--anyway`).
    func mostLost() throws(CommandLineError) -> Int? {
        let percent = try integer("max-loss", in: 0...100) ?? ListLoss.usualPercent
        return has("anyway") ? nil : percent
    }
}
