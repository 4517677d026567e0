import Configuration
import Encoding
import Invitations

/// Makes settings of what was read, and says what only the whole shows.
struct DeskReading {
    private let root: TableReading
    private var issues: IssueList
    private let folder: String

    private static let tokenValidRange: ClosedRange<Int64> = 60...(366 * 86_400)

    init(root: TableReading, issues: IssueList, folder: String) {
        self.root = root.composed
        self.issues = issues
        self.folder = folder
    }

    mutating func settings() throws(InvalidDeskSettings) -> DeskSettings {
        let visitors = side(root), words = words(), services = services(), tokenValid = tokenValid()
        let page = operatorPage(besides: visitors?.origin)
        guard !issues.hasErrors, let visitors, let tokenValid, let site = root.text("site"), let issuer = root.text("issuer"),
              let gates = root.text("gates") else { throw InvalidDeskSettings(issues: issues.sorted) }
        return DeskSettings(
            site: site, issuer: issuer, url: visitors.url, origin: visitors.origin, listen: visitors.listen, certificate: visitors.certificate,
            gates: path(gates), tokenValid: tokenValid, services: services, words: words, operatorPage: page, attestation: attestation,
            pages: root.text("pages").map(path))
    }

    private func path(_ text: String) -> String { text.hasPrefix("/") ? text : "\(folder)/\(text)" }

    private mutating func operatorPage(besides visitors: String?) -> OperatorPageSettings? {
        guard let table = root.tables["operator"], let side = side(table) else { return nil }
        if side.origin == visitors {
            issues.error("operator-origin", at: table.position(of: "url"),
                         "Operators need another host or port than visitors have: else a page for visitors could act as an operator.")
        }
        return OperatorPageSettings(url: side.url, origin: side.origin, listen: side.listen, certificate: side.certificate,
                                    clientAuthority: table.text("client-ca").map(path))
    }

    private var attestation: AttestationSettings? {
        guard let table = root.tables["attestation"], let applications = table.texts("applications"), let signers = table.texts("signers"),
              let roots = table.texts("roots"), let timeout = table.integer("longest-timeout"), let strongBox = table.flag("strongbox") else { return nil }
        return AttestationSettings(applications: applications, signers: signers, roots: roots, longestTimeout: Int64(timeout),
                                   wantsStrongBox: strongBox, revoked: table.text("revoked").map(path))
    }

    private mutating func tokenValid() -> Int64? {
        guard let text = root.text("token-valid") else { return nil }
        let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400]
        if let unit = text.last.flatMap({ units[$0] }), text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
           let number = Int64(text.dropLast()), number <= 1_000_000, Self.tokenValidRange.contains(number * unit) { return number * unit }
        issues.error("bad-text", at: root.position(of: "token-valid"), "token-valid is \"30m\", \"24h\" or \"7d\", from a minute to a year.")
        return nil
    }

    private mutating func services() -> [String] {
        guard root.values["services"] != nil else { return DeskSettings.usualServices }
        let groups = [8, 4, 4, 4, 12]
        return root.places("services").map { service in
            let parts = service.text.split(separator: "-", omittingEmptySubsequences: false)
            if parts.map(\.utf8.count) != groups || !parts.joined().allSatisfy({ $0.isASCII && $0.isHexDigit }) {
                issues.error("bad-text", at: service.position, "services has a text that is no UUID.")
            }
            return service.text.lowercased()
        }
    }

    private mutating func words() -> SiteWords {
        var words = SiteWords(languages: root.texts("languages") ?? ["en", "de"])
        for language in root.places("languages") { checkLanguage(language.text, at: language.position) }
        for table in root.lists["message"] ?? [] {
            guard let language = table.text("language"), let reason = table.text("reason"), let text = table.text("text") else { continue }
            checkLanguage(language, at: table.position(of: "language"))
            if words.messages[language]?[reason] != nil {
                issues.error("repeated-value", at: table.position(of: "reason"), "There is a text for this reason in this language already.")
            }
            words.messages[language, default: [:]][reason] = text
        }
        return words
    }

    /// Letters, digits and hyphens, as in `de-CH` (RFC 5646).
    private mutating func checkLanguage(_ text: String, at position: TextPosition) {
        guard text.first?.isLetter != true || !text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else { return }
        issues.error("bad-text", at: position, "A language is a tag such as \"de\" or \"de-CH\".")
    }
}

/// What visitors and operators have each.
extension DeskReading {
    private typealias Side = (url: String, origin: String, listen: ListenPlace, certificate: CertificateFiles?)

    private mutating func side(_ table: TableReading) -> Side? {
        let listen = listen(table)
        guard let address = address(table), let listen else { return nil }
        let files = certificate(table, listen: listen, isSecure: address.url.hasPrefix("https://"))
        return (address.url, address.origin, listen, files)
    }

    private mutating func address(_ table: TableReading) -> (url: String, origin: String)? {
        guard let given = table.text("url") else { return nil }
        guard !given.hasSuffix("/"), let web = WebAddress(given), let origin = Statement.origin(of: given) else {
            issues.error("bad-text", at: table.position(of: "url"),
                         "url is an address such as \"https://gates.example/visit\", without a slash at its end; http is for this machine alone.")
            return nil
        }
        // As browsers write it.
        return (origin + (web.path == "/" ? "" : web.path), origin)
    }

    private mutating func listen(_ table: TableReading) -> ListenPlace? {
        guard let text = table.text("listen") else { return nil }
        if let place = ListenPlace(text) { return place }
        issues.error("bad-text", at: table.position(of: "listen"), "listen is \"ADDRESS:PORT\", \"[ADDRESS]:PORT\" or \"unix:/PATH\".")
        return nil
    }

    private mutating func certificate(_ table: TableReading, listen: ListenPlace, isSecure: Bool) -> CertificateFiles? {
        switch (table.text("certificate"), table.text("key")) {
        case (let certificate?, let key?): return CertificateFiles(certificate: path(certificate), key: path(key))
        case (nil, nil):
            if case .address = listen, isSecure {
                issues.error("certificate-missing", at: table.position,
                             "certificate and key are missing: without them only a Unix socket is listened on, behind a web server that does TLS.")
            }
        case (_?, nil), (nil, _?): issues.error("certificate-missing", at: table.position, "certificate and key belong together; one is missing.")
        }
        return nil
    }
}

extension ListenPlace {
    /// `127.0.0.1:8443`, `[::]:443` or `unix:/run/visitors.sock`; nil for anything else.
    init?(_ text: String) {
        let mark = "unix:"
        if text.hasPrefix(mark) {
            let path = String(text.dropFirst(mark.count))
            // As long as the kernel's addresses of sockets (unix(7)).
            guard path.hasPrefix("/"), path.utf8.count <= 107 else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else { return nil }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = host.dropFirst().dropLast()
            guard inner.contains(":"), inner.allSatisfy({ $0.isASCII && ($0.isHexDigit || $0 == ":" || $0 == ".") }) else { return nil }
            self = .address(host: String(inner), port: port)
        } else {
            let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
            guard numbers.count == 4, numbers.allSatisfy({ UInt8($0) != nil && $0.allSatisfy(\.isNumber) }) else { return nil }
            self = .address(host: String(host), port: port)
        }
    }
}
