import Encoding

/// What a browser or a phone asks for, whole: nothing of it is read later.
public struct WebRequest: Sendable {
    /// The methods that are served at all.
    public enum Method: String, Sendable, CaseIterable {
        case get = "GET", head = "HEAD", post = "POST"

        /// Whether it asks for what is there and changes nothing.
        public var onlyReads: Bool { self != .post }
    }

    /// The method.
    public let method: Method
    /// From the first slash on, without the query, byte for byte as it was sent.
    public let path: String
    /// Name and value of what follows the question mark, as they were sent.
    let queries: [(name: String, value: String)]
    /// Names in small letters, values as they were sent, in their order.
    let headers: [(name: String, value: String)]
    /// The body; empty for what has none.
    public let body: [UInt8]
    /// 4 or 16 bytes of the sender's address: that of the connection, or behind a Unix socket what the web server in front says of its own peer.
    /// Empty where nobody says.
    public let address: [UInt8]
    /// A certificate for clients was shown that the listener's authorities cover.
    public let hasClientCertificate: Bool

    /// A request.
    public init(method: Method, path: String, queries: [(name: String, value: String)] = [], headers: [(name: String, value: String)] = [],
                body: [UInt8] = [], address: [UInt8] = [], hasClientCertificate: Bool = false) {
        (self.method, self.path, self.queries, self.headers) = (method, path, queries, headers)
        (self.body, self.address, self.hasClientCertificate) = (body, address, hasClientCertificate)
    }

    /// The value of a header that stands there once; nil where it is missing, or there twice, by which two readers would differ.
    public func header(_ name: String) -> String? {
        let found = headers.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    /// The value of a query that stands there once, as it was sent; nil where it is missing, or there twice.
    public func query(_ name: String) -> String? {
        let found = queries.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    /// The media type of the body in small letters, without parameters; nil where it is missing.
    public var mediaType: String? {
        header("content-type").flatMap { $0.split(separator: ";", omittingEmptySubsequences: false).first }.map { part in
            String(part).lowercased().split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
        }
    }

    /// The value of a cookie; nil where there is none, or one of the same name twice.
    public func cookie(_ name: String) -> String? {
        let pairs = headers.filter { $0.name == "cookie" }.flatMap { $0.value.split(separator: ";") }
        let found = pairs.compactMap { pair -> String? in
            let trimmed = pair.drop { $0 == " " }
            guard trimmed.hasPrefix(name + "=") else { return nil }
            return String(trimmed.dropFirst(name.count + 1))
        }
        return found.count == 1 ? found[0] : nil
    }
}

/// What a form in HTML sends (`application/x-www-form-urlencoded`).
public struct WebForm: Sendable {
    private let fields: [String: String]

    /// The most fields of a form.
    private static let most = 64

    /// Nil for what no browser sends: text that is not UTF-8, a broken percent sign, a name twice.
    public init?(_ body: [UInt8]) {
        var fields: [String: String] = [:]
        let parts = body.split(separator: UInt8(ascii: "&"))
        guard parts.count <= Self.most else { return nil }
        for part in parts {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = Self.text(part[..<end]), let value = Self.text(part[end...].dropFirst()), fields[name] == nil else { return nil }
            fields[name] = value
        }
        self.fields = fields
    }

    /// The value of a field; nil where it is missing.
    public subscript(name: String) -> String? { fields[name] }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        var plain: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): plain.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
                plain.append(high << 4 | low)
            default: plain.append(byte)
            }
        }
        return String(validating: plain, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
