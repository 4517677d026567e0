import Configuration

/// Reads a site's file, checks it as a whole, and makes of it what a publication carries (O1).
public enum SiteFile {
    /// A longer file is refused unread; members may stand in files of their own.
    public static let maximumBytes = 4 << 20

    /// Reads and checks a file, and those that it names.
    /// - Throws: everything that is wrong, each thing with its place.
    public static func load(path: String, in context: SiteFileContext) throws(InvalidSiteFile) -> LoadedSite {
        let bytes: [UInt8]
        do throws(FileReadError) {
            bytes = try FileText.read(path, limit: maximumBytes)
        } catch {
            throw invalid(ConfigurationIssue(severity: .error, file: path, position: nil, code: error.code, message: error.message))
        }
        return try parse(bytes, name: path, folder: folder(of: path), in: context)
    }

    /// Checks a text.
    /// - Parameters:
    ///   - name: what the issues call the file.
    ///   - folder: where relative paths begin.
    public static func parse(_ bytes: [UInt8], name: String, folder: String = ".", in context: SiteFileContext)
        throws(InvalidSiteFile) -> LoadedSite {
        let document: TOMLDocument
        do throws(TOMLSyntaxError) {
            document = try TOMLDocument(bytes)
        } catch {
            throw invalid(ConfigurationIssue(severity: .error, file: name, position: error.position, code: "syntax",
                                             message: "This is no TOML: \(error.message)."))
        }
        var reader = SchemaReader(file: name, root: SiteSchema.root)
        let root = reader.read(SiteSchema.root, document.root).composed
        var reading = SiteReading(root: root, issues: reader.issues, folder: folder, context: context)
        return try reading.site()
    }

    private static func invalid(_ issue: ConfigurationIssue) -> InvalidSiteFile { InvalidSiteFile(issues: [issue]) }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
