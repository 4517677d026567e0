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

/// What is known where a site's file is read.
public struct SiteFileContext: Sendable {
    /// Whether people and issuers stand in the file too. In the office they have commands of their own.
    public let hasPeople: Bool
    /// The lanes and zones of the gate, where there is only one gate; nil: names of others are no mistake.
    public let gate: (lanes: [String], zones: [String])?
    /// The token issuers of which `[[issuer]]` may speak in the office; nil: nobody knows them here.
    public var issuers: [String]?
    /// The commands of the gate's lanes that want a second factor.
    public var guardedCommands: [(lane: String, name: String)] = []
    /// Where the system keeps the data of time zones.
    public let timeZones: String

    /// The folder of time zones on Debian.
    public static let systemTimeZones = "/usr/share/zoneinfo"

    /// A context.
    public init(hasPeople: Bool, gate: (lanes: [String], zones: [String])? = nil, timeZones: String = systemTimeZones) {
        self.hasPeople = hasPeople
        self.gate = gate
        self.timeZones = timeZones
    }

    /// On a gate that stands alone: names of lanes and zones are those of its configuration.
    public init(_ gate: GateConfiguration) {
        self.init(hasPeople: true, gate: (gate.lanes.map(\.name), gate.lanes.compactMap(\.zone)))
        guardedCommands = gate.lanes.flatMap { lane in lane.commands.filter(\.wantsSecondFactor).map { (lane.name, $0.name) } }
    }

    /// In the office of an authority.
    public static let office = SiteFileContext(hasPeople: false)
}

/// A site's file that cannot be used: everything that is wrong with it and with the files that it names.
public struct InvalidSiteFile: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one error; warnings among them.
    public let issues: [ConfigurationIssue]

    /// Stable code for operators.
    public var code: String { "site-file-invalid" }

    /// A sentence for people.
    public var message: String {
        let errors = issues.filter { $0.severity == .error }.count
        return "The site's file has \(errors) error\(errors == 1 ? "" : "s")."
    }

    /// One issue a line.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}
