import Cryptography
import Encoding
import Files
import Invitations
import Storage
import Threads

/// What a new server of invitations is told; the rest is in `settings.toml` afterwards.
public struct NewDesk: Hashable, Sendable {
    /// The site's name, as in its site data.
    public var site: String
    /// The name under which the office will know this server's key.
    public var issuer: String
    /// What links begin with.
    public var url: String
    /// Where visitors are listened to.
    public var listen: String
    /// The certificate chain and the private key, PEM; nil where somebody else does TLS.
    public var certificate: String?
    public var key: String?
    /// The office's `gates.phone`.
    public var gates: String
    /// The page of operators: address, and where it listens; nil: there is none.
    public var operatorURL: String?
    public var operatorListen: String?

    /// A new server.
    public init(site: String, issuer: String, url: String, listen: String, certificate: String? = nil, key: String? = nil, gates: String,
                operatorURL: String? = nil, operatorListen: String? = nil) {
        (self.site, self.issuer, self.url, self.listen) = (site, issuer, url, listen)
        (self.certificate, self.key, self.gates) = (certificate, key, gates)
        (self.operatorURL, self.operatorListen) = (operatorURL, operatorListen)
    }

    /// `settings.toml`.
    public var text: String {
        var lines = [
            "# The server of invitations (docs/invitations.md). `serve check` looks whether it can be used.",
            "site = \(Self.quoted(site))", "issuer = \(Self.quoted(issuer))", "# What links begin with.", "url = \(Self.quoted(url))",
            "listen = \(Self.quoted(listen))"
        ]
        if let certificate { lines.append("certificate = \(Self.quoted(certificate))") }
        if let key { lines.append("key = \(Self.quoted(key))") }
        lines += [
            "# The office's file for phones; it is read again when it changes.", "gates = \(Self.quoted(gates))",
            "# A phone that is lost opens gates for so long, unless it is taken back.", "token-valid = \"24h\"", "languages = [\"en\", \"de\"]"
        ]
        if let operatorURL, let operatorListen {
            lines += ["", "[operator]", "url = \(Self.quoted(operatorURL))", "listen = \(Self.quoted(operatorListen))"]
            if let certificate { lines.append("certificate = \(Self.quoted(certificate))") }
            if let key { lines.append("key = \(Self.quoted(key))") }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A basic string of TOML: JSON's are such.
    private static func quoted(_ text: String) -> String { JSON.string(text).text }
}

extension InvitationDesk {
    /// Makes the folder, the issuer's key, the settings and the database. What was interrupted goes on where it was: no key and no settings that are
    /// there are written over.
    public static func make(folder: String, _ new: NewDesk, now: Int64) throws(DeskError) {
        let place = DeskFolder(path: folder)
        if place.has(DeskDatabase.name), try isMade(place) { throw .alreadyThere(folder: folder) }
        let text = Array(new.text.utf8)
        let settings: DeskSettings
        do throws(InvalidDeskSettings) {
            settings = try DeskSettings.parse(text, name: DeskSettings.fileName, folder: folder)
        } catch {
            throw .settings(error)
        }
        try place.make()
        try place.keyMadeOnce()
        if !place.has(DeskSettings.fileName) {
            do throws(SystemError) { try SmallFile.make(place.path(of: DeskSettings.fileName), text, mode: 0o600) } catch { throw .system(error) }
        }
        try place.write(RevokedQueue(site: settings.site, issuer: settings.issuer, revoked: []))
        try place.makeEmpty(DeskDatabase.name)
        // Last of all: it says that all the rest is there.
        do throws(StorageError) {
            try DeskDatabase(path: place.path(of: DeskDatabase.name), patience: 2000).make(site: settings.site, issuer: settings.issuer, now: now)
        } catch {
            throw .storage(error)
        }
    }

    /// Opens the server in a folder with its own settings and key.
    public static func open(folder: String, attestation: AttestationJudge? = nil, report: @escaping @Sendable (DeskError) -> Void = { _ in })
        throws(DeskError) -> InvitationDesk {
        let place = DeskFolder(path: folder)
        guard place.has(DeskDatabase.name) else { throw .noDesk(folder: folder) }
        return try InvitationDesk(folder: folder, settings: DeskSettings.load(folder: folder), key: place.key(), attestation: attestation, report: report)
    }

    private static func isMade(_ place: DeskFolder) throws(DeskError) -> Bool {
        do throws(StorageError) {
            return try DeskDatabase(path: place.path(of: DeskDatabase.name), patience: 2000).identity() != nil
        } catch {
            throw .storage(error)
        }
    }
}

extension DeskDatabase {
    /// Whose database it is.
    struct Identity {
        let site: String
        let issuer: String
        let nonceKey: [UInt8]
    }

    func make(site: String, issuer: String, now: Int64) throws(StorageError) {
        try run("INSERT INTO desk (id, site, issuer, nonce_key, made_at) VALUES (1, ?1, ?2, ?3, ?4)", [
            .text(site), .text(issuer), .bytes(ServerNonce.makeKey()), .number(now)
        ])
    }

    /// Nil while it is not made.
    func identity() throws(StorageError) -> Identity? {
        try first("SELECT site, issuer, nonce_key FROM desk", []) { row in
            guard let site = row.writtenText(0), let issuer = row.writtenText(1), let key = row.writtenBytes(2) else { return nil }
            return Identity(site: site, issuer: issuer, nonceKey: key)
        }
    }
}
