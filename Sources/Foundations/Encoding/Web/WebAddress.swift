/// An address of the web, as far as it decides who is asked for what: judged by its bytes, so that no two readers of it can differ.
///
/// Whatever could lead elsewhere than it looks is no address here: a name or a password before the host, a backslash, a byte that is not
/// visible ASCII, a fragment, and in the path `.` and `..` as segments, also with percent signs, and a slash that hides behind one
/// (RFC 3986, 3 and 5.2.4).
public struct WebAddress: Hashable, Sendable {
    /// `http` or `https`.
    public enum Scheme: String, Hashable, Sendable {
        case http, https

        var port: UInt16 {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    public let scheme: Scheme
    /// In small letters; an address of IPv6 with its brackets.
    public let host: String
    public let port: UInt16
    /// From the first slash on, without the query; `/` where there is nothing.
    public let path: String

    /// The longest address, in bytes.
    public static let mostBytes = 4096

    /// Nil for what is no such address.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.mostBytes, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C && $0 != 0x23 }) else { return nil }
        guard let (scheme, rest) = Self.scheme(of: bytes) else { return nil }
        let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
        guard let (host, port) = Self.place(rest[..<end]) else { return nil }
        let path = rest[end...].prefix { $0 != 0x3F }
        guard Self.isPlain(path) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port ?? scheme.port
        self.path = path.isEmpty ? "/" : String(decoding: path, as: UTF8.self)
    }

    /// Whether another address lies at or below this one: the same scheme, host and port, and its path begins with all segments of this one's.
    public func covers(_ other: WebAddress) -> Bool {
        guard scheme == other.scheme, host == other.host, port == other.port else { return false }
        return path.hasSuffix("/") ? other.path.utf8.starts(with: path.utf8) : other.path == path || other.path.utf8.starts(with: (path + "/").utf8)
    }

    /// Whether both are of one server.
    public func isSameServer(as other: WebAddress) -> Bool { scheme == other.scheme && host == other.host && port == other.port }

    private static func scheme(of bytes: [UInt8]) -> (Scheme, ArraySlice<UInt8>)? {
        for scheme in [Scheme.https, .http] {
            let head = Array((scheme.rawValue + "://").utf8)
            guard bytes.count > head.count, bytes.prefix(head.count).map(small) == head else { continue }
            return (scheme, bytes[head.count...])
        }
        return nil
    }

    /// `host` or `host:port`.
    private static func place(_ bytes: ArraySlice<UInt8>) -> (host: String, port: UInt16?)? {
        let isBracketed = bytes.first == 0x5B
        guard let end = isBracketed ? bytes.firstIndex(of: 0x5D).map({ $0 + 1 }) : bytes.firstIndex(of: 0x3A) ?? bytes.endIndex else { return nil }
        let host = bytes[..<end].map(small)
        guard isBracketed ? isIPv6(host) : isName(host) else { return nil }
        let rest = bytes[end...]
        guard !rest.isEmpty else { return (String(decoding: host, as: UTF8.self), nil) }
        let digits = rest.dropFirst()
        guard rest.first == 0x3A, (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
              let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0 else { return nil }
        return (String(decoding: host, as: UTF8.self), port)
    }

    /// Letters, digits, hyphens and dots between them: no dot at the end, by which one host has two names.
    private static func isName(_ host: [UInt8]) -> Bool {
        host.count <= 253 && host.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.count <= 63 && label.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F }
        }
    }

    private static func isIPv6(_ host: [UInt8]) -> Bool {
        host.count > 4 && host.dropFirst().dropLast().allSatisfy { (0x30...0x3A).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2E }
    }

    /// Whether every reader takes the path for the same.
    private static func isPlain(_ path: ArraySlice<UInt8>) -> Bool {
        var plain: [UInt8] = []
        var rest = path
        while let byte = rest.popFirst() {
            guard byte == 0x25 else { plain.append(byte); continue }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return false }
            let hidden = high << 4 | low
            // A slash, a backslash or another percent sign would be read by some.
            guard hidden != 0x2F, hidden != 0x5C, hidden != 0x25, hidden != 0 else { return false }
            plain.append(hidden)
        }
        return !plain.split(separator: 0x2F).contains { $0.elementsEqual([0x2E]) || $0.elementsEqual([0x2E, 0x2E]) }
    }

    private static func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
