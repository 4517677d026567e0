import Encoding

/// The way to servers, and whom to trust on it. Files are named, not sent: the program reads them with its own rights.
public struct FetchSetup: Hashable, Sendable {
    /// The URL of a proxy: `http://proxy.example:3128`. Nil: none, whatever the environment says.
    public let proxy: String?
    /// Names of hosts that are asked without it, with commas between them.
    public let noProxy: String?
    /// A file with the certificates (PEM) of those who may vouch for servers, instead of the system's.
    public let authorities: String?
    /// A file with the certificate (PEM) by which the program shows who it is.
    public let certificate: String?
    /// A file with the key of that certificate (PEM, without a passphrase).
    public let key: String?
    /// What the program calls itself (User-Agent).
    public let agent: String

    /// The longest field, in bytes.
    public static let mostFieldBytes = 1024

    /// - Throws: where a text is longer than 1,024 bytes, has control characters in it, or is empty.
    public init(proxy: String? = nil, noProxy: String? = nil, authorities: String? = nil, certificate: String? = nil, key: String? = nil,
                agent: String) throws(FetchFrameError) {
        (self.proxy, self.noProxy, self.authorities, self.certificate, self.key) = (proxy, noProxy, authorities, certificate, key)
        self.agent = agent
        for text in [proxy, noProxy, authorities, certificate, key, agent] {
            guard let text else { continue }
            guard (1...Self.mostFieldBytes).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw .body("a setting is empty, too long, or no plain text")
            }
        }
    }

    private init(_ other: FetchSetup, agent: String) {
        (proxy, noProxy, authorities, certificate, key) = (other.proxy, other.noProxy, other.authorities, other.certificate, other.key)
        self.agent = agent
    }

    /// The same under another name.
    public func asked(by agent: String) -> FetchSetup { FetchSetup(self, agent: agent) }

    init(_ fields: FetchFields) throws(FetchFrameError) {
        let most = Self.mostFieldBytes
        try fields.only(1...6)
        try self.init(proxy: fields.text(1, most: most), noProxy: fields.text(2, most: most), authorities: fields.text(3, most: most),
                      certificate: fields.text(4, most: most), key: fields.text(5, most: most), agent: fields.neededText(6, most: most))
    }

    var fields: CBOR {
        let texts = [proxy, noProxy, authorities, certificate, key, agent]
        return FetchFields.body(texts.enumerated().map { ($0.offset + 1, $0.element.map { CBOR($0) }) })
    }
}
