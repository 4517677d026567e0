import CommandLineOptions
import Configuration
import Encoding

/// The commands that look at a configuration file and need no running gate.
enum ConfigurationCommands {
    /// Where the configuration lies on a gate.
    static let standardPath = "/etc/tapstile/tapstile.toml"

    /// Says everything that is wrong, each with its place. Warnings do not make it fail.
    static func check(path: String?, json: Bool) -> ExitStatus {
        let path = path ?? standardPath
        do {
            let loaded = try ConfigurationFile.load(path: path)
            for issue in loaded.warnings { report(issue, json) }
            if json {
                StandardStream.output.write(["file": .string(path), "errors": 0, "warnings": .integer(Int64(loaded.warnings.count))])
            } else {
                StandardStream.output.write(line: "\(path): in order")
            }
            return .success
        } catch {
            for issue in error.issues { report(issue, json) }
            if !json { StandardStream.error.write(line: "tapstile: \(error.code): \(error.message)") }
            return .failure
        }
    }

    /// Prints the configuration with every default; what it prints reads back as the same.
    static func effective(path: String?, json: Bool) -> ExitStatus {
        do {
            let text = try ConfigurationFile.load(path: path ?? standardPath).effectiveText
            if json {
                StandardStream.output.write(["configuration": .string(text)])
            } else {
                StandardStream.output.write(lines: text)
            }
            return .success
        } catch {
            for issue in error.issues { report(issue, json) }
            return .failure
        }
    }

    static func report(_ issue: ConfigurationIssue, _ json: Bool) {
        guard json else {
            StandardStream.error.write(line: issue.description)
            return
        }
        var fields: JSONObject = [
            "severity": .string(issue.severity.rawValue), "file": .string(issue.file), "code": .string(issue.code),
            "message": .string(issue.message)]
        if let position = issue.position {
            fields["line"] = .integer(Int64(position.line))
            fields["column"] = .integer(Int64(position.column))
        }
        fields["suggestion"] = issue.suggestion.map { .string($0) }
        StandardStream.output.write(.object(fields))
    }
}
