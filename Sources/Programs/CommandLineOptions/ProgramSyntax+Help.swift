extension ProgramSyntax {
    /// The help of the whole program.
    var help: String {
        switch shape {
        case .single(let command): return help(for: command)
        case .commands(let commands):
            let rows = commands.map { ($0.name, $0.summary) }
            return """
                \(summary)

                Usage: \(name) COMMAND [OPTIONS]

                \(Self.table(rows))

                '\(name) help COMMAND' tells what a command takes; '\(name) --version' names the version.
                """
        }
    }

    /// The help of one command.
    func help(for command: CommandSyntax) -> String {
        var parts = [command.summary, "Usage: \(usage(of: command))"]
        let operands = command.operands.map { ($0.name, $0.summary) }
        let options = command.options.map { ($0.form, $0.summary + ($0.isRepeatable ? " (may be repeated)" : "")) }
        let rows = operands + options + [("--help", "this text"), ("--version", "the version")]
        parts.append(Self.table(rows))
        if !command.details.isEmpty { parts.append(command.details) }
        return parts.joined(separator: "\n\n")
    }

    private func usage(of command: CommandSyntax) -> String {
        var words = [name]
        if case .commands = shape { words.append(command.name) }
        if !command.options.isEmpty { words.append("[OPTIONS]") }
        return (words + command.operands.map(\.form)).joined(separator: " ")
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, summary in
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(summary)"
        }.joined(separator: "\n")
    }
}
