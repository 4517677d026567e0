import Encoding

/// What is sent back.
public struct WebAnswer: Sendable {
    /// The status (RFC 9110, 15).
    public var status: Int
    /// Headers besides those that each answer has. A value that is not printable ASCII makes the answer a 500.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: WebBody

    /// An answer.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: WebBody = .bytes([])) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// JSON, which nobody keeps.
    public static func json(_ json: JSON, status: Int = 200, headers: [(name: String, value: String)] = []) -> WebAnswer {
        WebAnswer(status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + headers, body: .bytes(json.canonical))
    }

    /// A page of HTML, which nobody keeps.
    public static func html(_ text: String, status: Int = 200, headers: [(name: String, value: String)] = []) -> WebAnswer {
        WebAnswer(status: status, headers: [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")] + headers,
                  body: .bytes(Array(text.utf8)))
    }

    /// A sentence, which nobody keeps.
    public static func text(_ text: String, status: Int, headers: [(name: String, value: String)] = []) -> WebAnswer {
        WebAnswer(status: status, headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")] + headers,
                  body: .bytes(Array((text + "\n").utf8)))
    }

    /// Look there, by GET.
    public static func seeOther(_ path: String, headers: [(name: String, value: String)] = []) -> WebAnswer {
        WebAnswer(status: 303, headers: [("Location", path), ("Cache-Control", "no-store")] + headers)
    }

    /// Whether no header begins another one or ends them.
    var isWellFormed: Bool {
        headers.allSatisfy { header in
            !header.name.isEmpty && header.name.utf8.allSatisfy { Self.isOfName($0) } && header.value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }
}

/// The body of an answer.
public enum WebBody: Sendable {
    /// Made for this answer.
    case bytes([UInt8])
    /// The same for all.
    case shared(SharedBytes)
}

/// Bytes that many answers send at once, each without a copy.
///
/// `@unchecked Sendable`: the memory is written before anybody has it, and never again.
public final class SharedBytes: @unchecked Sendable {
    let buffer: UnsafeMutableRawBufferPointer

    /// Bytes to be sent.
    public init(_ bytes: [UInt8]) {
        buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        buffer.copyBytes(from: bytes)
        count = bytes.count
    }

    /// How many they are.
    public let count: Int

    deinit { buffer.deallocate() }
}

/// What each answer of a listener says to the browser, whatever else it says.
public struct WebPolicy: Sendable {
    let headers: [(name: String, value: String)]

    /// - Parameters:
    ///   - content: the value of Content-Security-Policy.
    ///   - permissions: the value of Permissions-Policy.
    ///   - referrer: the value of Referrer-Policy. With `no-referrer` browsers do not say from which page a form comes, either.
    ///   - isSecure: browsers are to ask by TLS only, for two years.
    public init(content: String, permissions: String, referrer: String = "no-referrer", isSecure: Bool) {
        headers = [
            ("Content-Security-Policy", content), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", referrer),
            ("Permissions-Policy", permissions), ("X-Frame-Options", "DENY"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Robots-Tag", "noindex")
        ] + (isSecure ? [("Strict-Transport-Security", "max-age=63072000")] : [])
    }
}
