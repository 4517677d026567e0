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
        return LoadedConfiguration(configuration: configuration, effectiveText: EffectiveText(root).text, warnings: issues.sorted)
    }
}
