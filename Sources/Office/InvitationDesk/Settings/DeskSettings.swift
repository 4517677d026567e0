import Configuration
import Credentials
import Encoding
import Files
import Invitations
import Threads

/// What `settings.toml` says. Paths that do not begin at the root begin at the folder of the file.
public struct DeskSettings: Hashable, Sendable {
    /// The site's name, as in its site data.
    public var site: String
    /// The name under which the office knows this server's key.
    public var issuer: String
    /// What links begin with; no slash at its end.
    public var url: String
    /// What statements name: the origin of `url`.
    public var origin: String
    /// Where visitors are listened to.
    public var listen: ListenPlace
    /// The certificate chain and the private key, PEM; nil where somebody else does TLS.
    public var certificate: CertificateFiles?
    /// `gates.phone`.
    public var gates: String
    /// For how many seconds a token is valid at most.
    public var tokenValid: Int64
    /// The UUIDs by which gates are found over Bluetooth.
    public var services: [String]
    /// What phones show.
    public var words: SiteWords
    /// The page of operators; nil: there is none.
    public var operatorPage: OperatorPageSettings?
    /// Which attestations of Android keys count; nil: nobody looks at any.
    public var attestation: AttestationSettings?
    /// The folder of the page for visitors; nil: the installed one.
    public var pages: String?

    /// The name of the file.
    public static let fileName = "settings.toml"
    /// A longer file is refused unread, in bytes.
    public static let maximumBytes = 1 << 20
    /// The services of docs/bluetooth.md: on-touch and classic.
    public static let usualServices = ["00005301-0010-002a-426c-756549442a00", "00005301-0000-002a-426c-756549442a00"]

    /// What a link for a code is.
    public func link(_ code: InvitationCode) -> String { "\(url)/#\(code.text)" }

    /// Reads the settings in a folder.
    public static func load(folder: String) throws(DeskError) -> DeskSettings {
        let path = "\(folder)/\(fileName)"
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try SmallFile.read(path, limit: maximumBytes) } catch { throw .system(error) }
        do throws(InvalidDeskSettings) { return try parse(bytes, name: path, folder: folder) } catch { throw .settings(error) }
    }

    /// Reads a text.
    /// - Parameters:
    ///   - name: what mistakes call the file.
    ///   - folder: where relative paths begin.
    /// - Throws: everything that is wrong, each thing with its place.
    public static func parse(_ bytes: [UInt8], name: String, folder: String) throws(InvalidDeskSettings) -> DeskSettings {
        let document: TOMLDocument
        do throws(TOMLSyntaxError) {
            document = try TOMLDocument(bytes)
        } catch {
            throw InvalidDeskSettings(issues: [ConfigurationIssue(
                severity: .error, file: name, position: error.position, code: "syntax", message: "This is no TOML: \(error.message).")])
        }
        var reader = SchemaReader(file: name, root: DeskSchema.root)
        let root = reader.read(DeskSchema.root, document.root)
        var reading = DeskReading(root: root, issues: reader.issues, folder: folder)
        return try reading.settings()
    }
}

/// Where a server listens.
public enum ListenPlace: Hashable, Sendable {
    /// An address of IPv4, or of IPv6 without its brackets, and a port; 0: one that is free.
    case address(host: String, port: UInt16)
    /// A Unix socket at this path.
    case unix(path: String)
}

/// A certificate and its key.
public struct CertificateFiles: Hashable, Sendable {
    /// The chain, PEM, the server's own first.
    public var certificate: String
    /// The private key, PEM.
    public var key: String
}

/// `[operator]`
public struct OperatorPageSettings: Hashable, Sendable {
    /// What its addresses begin with; no slash at its end.
    public var url: String
    /// Its origin, another one than visitors have.
    public var origin: String
    /// Where operators are listened to.
    public var listen: ListenPlace
    /// The certificate chain and the private key; nil where somebody else does TLS.
    public var certificate: CertificateFiles?
    /// Who signs certificates of operators' browsers, PEM; nil: they need none.
    public var clientAuthority: String?
}

/// `[attestation]`, as texts: who judges attestations makes a policy of them.
public struct AttestationSettings: Hashable, Sendable {
    /// Package names of the site's apps.
    public var applications: [String]
    /// SHA-256 of the certificates that sign those apps, in hexadecimal.
    public var signers: [String]
    /// `google`, or SHA-256 of the keys of roots.
    public var roots: [String]
    /// How many seconds after its user was verified a key may sign.
    public var longestTimeout: Int64
    /// Whether only keys in a StrongBox count.
    public var wantsStrongBox: Bool
    /// Google's list of certificates that were revoked; nil: there is none.
    public var revoked: String?

    /// Settings; what is left out has the value that it has in the file.
    public init(applications: [String], signers: [String], roots: [String] = ["google"], longestTimeout: Int64 = 60, wantsStrongBox: Bool = false,
                revoked: String? = nil) {
        (self.applications, self.signers, self.roots) = (applications, signers, roots)
        (self.longestTimeout, self.wantsStrongBox, self.revoked) = (longestTimeout, wantsStrongBox, revoked)
    }
}

/// Settings that cannot be used: everything that is wrong with them, in the order of the text.
public struct InvalidDeskSettings: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one error.
    public let issues: [ConfigurationIssue]

    /// One issue a line.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}
