import Encoding

/// Reads `tapstile.toml` and checks it as a whole (O1).
public enum ConfigurationFile {
    /// A longer file is refused unread.
    public static let maximumBytes = 1 << 20

    /// Reads and checks a file.
    /// - Parameter files: also look whether the files and folders it names are there, and who may change what must be root's.
    /// - Throws: everything that is wrong, each thing with its place.
    public static func load(path: String, checkingFiles files: Bool = true) throws(InvalidConfiguration) -> LoadedConfiguration {
        let bytes: [UInt8]
        do throws(FileReadError) {
            bytes = try FileText.read(path, limit: maximumBytes)
        } catch {
            throw InvalidConfiguration(issues: [ConfigurationIssue(
                severity: .error, file: path, position: nil, code: error.code, message: error.message)])
        }
        // Whoever may change it names the trust anchors, or a site's file of his own.
        if files, let finding = whoElseMayChange(path: path) {
            throw InvalidConfiguration(issues: [ConfigurationIssue(
                severity: .error, file: path, position: nil, code: "configuration-exposed",
                message: "Others than root may decide what this gate does: \(finding).")])
        }
        return try parse(bytes, name: path, checkingFiles: files)
    }

    /// The state folder that a file names, also if much else is wrong with it; nil when it is not even TOML.
    public static func stateFolder(path: String) -> String? {
        guard let bytes = try? FileText.read(path, limit: maximumBytes), let document = try? TOMLDocument(bytes) else { return nil }
        var reader = SchemaReader(file: path)
        return reader.read(Schema.root, document.root).tables["store"]?.text("directory")
    }

    /// Who besides root and this program's own user may change or replace a file, in words; nil where nobody may.
    /// - Parameter gateMay: the gate's user may, too.
    public static func whoElseMayChange(path: String, gateMay: Bool = true) -> String? {
        WriteAccess(probe: FileFacts.init(path:), gateUser: gateMay ? FileChecks.installedUser : nil).finding(path)
    }

    /// Checks a text.
    /// - Parameters:
    ///   - name: what the issues call the file.
    ///   - files: also look whether the files and folders it names are there.
    public static func parse(_ bytes: [UInt8], name: String, checkingFiles files: Bool = false) throws(InvalidConfiguration)
        -> LoadedConfiguration {
        let document: TOMLDocument
        do throws(TOMLSyntaxError) {
            document = try TOMLDocument(bytes)
        } catch {
            throw InvalidConfiguration(issues: [ConfigurationIssue(
                severity: .error, file: name, position: error.position, code: "syntax",
                message: "This is no TOML: \(error.message).")])
        }
        var reader = SchemaReader(file: name)
        let root = reader.read(Schema.root, document.root)
        var issues = CrossChecks.run(root, reader.issues)
        if files { issues = FileChecks.run(root, issues) }
        guard !issues.hasErrors, let configuration = GateConfiguration(root) else {
            throw InvalidConfiguration(issues: issues.sorted)
        }
        return LoadedConfiguration(configuration: configuration, effectiveText: EffectiveText(root).text, fixed: FixedSettings(root), warnings: issues.sorted)
    }
}

/// A configuration that can be used, and what is remarkable about it.
public struct LoadedConfiguration: Hashable, Sendable {
    public let configuration: GateConfiguration
    /// The same as TOML with every default spelled out. It loads to an equal configuration.
    public let effectiveText: String
    /// What of it a running gate cannot change.
    public let fixed: FixedSettings
    /// In the order of the text.
    public let warnings: [ConfigurationIssue]
}

/// A configuration that cannot be used: everything that is wrong with it, in the order of the text.
public struct InvalidConfiguration: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one error; warnings among them.
    public let issues: [ConfigurationIssue]

    public init(issues: [ConfigurationIssue]) { self.issues = issues }

    /// Stable code for operators.
    public var code: String { "configuration-invalid" }

    /// A sentence for people.
    public var message: String {
        let errors = issues.filter { $0.severity == .error }.count
        return "The configuration has \(errors) error\(errors == 1 ? "" : "s")."
    }

    /// One issue a line.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}

/// One thing that is wrong with a configuration, where it is and how to fix it.
public struct ConfigurationIssue: Error, Hashable, Sendable {
    /// Errors keep the configuration from being used; warnings are said and no more.
    public enum Severity: String, Sendable {
        case error, warning
    }

    public let severity: Severity
    public let file: String
    /// From 1. Nil when the file as a whole is meant.
    public let position: TextPosition?
    /// Stable, kebab-case: operators grep for it.
    public let code: String
    /// A sentence for people.
    public let message: String
    /// What the writer probably meant.
    public let suggestion: String?

    public init(severity: Severity, file: String, position: TextPosition?, code: String, message: String,
                suggestion: String? = nil) {
        self.severity = severity
        self.file = file
        self.position = position
        self.code = code
        self.message = message
        self.suggestion = suggestion
    }
}

extension ConfigurationIssue: CustomStringConvertible {
    /// `file:line:column: error unknown-setting: sentence. Did you mean "x"?` It is one line, whatever stands in the file.
    public var description: String {
        let place = position.map { "\(file):\($0.line):\($0.column)" } ?? file
        let hint = suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
        return PrintedText.line("\(place): \(severity.rawValue) \(code): \(message)\(hint)")
    }
}

/// A place in a text. Both count from 1; columns count characters (Unicode scalars), not bytes.
public struct TextPosition: Hashable, Sendable, Comparable {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (a: TextPosition, b: TextPosition) -> Bool {
        (a.line, a.column) < (b.line, b.column)
    }
}
