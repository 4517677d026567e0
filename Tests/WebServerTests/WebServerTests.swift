import Encoding
import Foundation
import Testing
import Threads
import Waits

@testable import WebServer

/// What strangers send to the web server.
@Suite("The web server") struct WebServerTests {
    static let policy = WebPolicy(content: "default-src 'none'; frame-ancestors 'none'", permissions: "bluetooth=(self)", isSecure: true)

    /// Says what it was asked.
    static let echo: WebServer.Handler = { request in
        .json([
            "method": .string(request.method.rawValue), "path": .string(request.path), "body": .string(String(decoding: request.body, as: UTF8.self)),
            "address": .string(request.address.map(String.init).joined(separator: ".")), "type": .string(request.mediaType ?? "")
        ])
    }

    static func serving<Result>(_ limits: WebLimits = WebLimits(), _ handler: @escaping WebServer.Handler = echo, _ body: (WebServer) throws -> Result) throws
        -> Result {
        let server = try WebServer(at: .internet(host: "127.0.0.1", port: 0), certificate: nil, policy: policy, limits: limits, handler: handler)
        defer { server.stop() }
        return try body(server)
    }

    static func status(_ answer: String?) -> Substring { answer?.split(separator: " ").dropFirst().first ?? "none" }

    @Test("A path is what was sent, byte by byte", arguments: ["/a/../b", "/%2e%2e/etc/passwd", "//x", "/%00", "/a%2Fb"])
    func path(_ path: String) throws {
        let answer = try Self.serving { try RawClient(port: $0.port).ask("GET \(path)?q=1 HTTP/1.1") }
        #expect(answer?.contains("\"path\":\"\(path)\"") == true)
    }

    @Test("Each answer says the policy", arguments: ["GET /", "DELETE /", "GET /?x"])
    func policyOnEachAnswer(_ request: String) throws {
        let answer = try #require(try Self.serving { try RawClient(port: $0.port).ask("\(request) HTTP/1.1") })
        for line in ["Content-Security-Policy: default-src 'none'; frame-ancestors 'none'", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
                     "Permissions-Policy: bluetooth=(self)", "X-Frame-Options: DENY", "Strict-Transport-Security: max-age=63072000", "Cache-Control: no-store"] {
            #expect(answer.contains("\r\n\(line)\r\n"), "\(line)")
        }
    }

    @Test("Methods, lengths and bodies beyond the rules are refused before they are read", arguments: [
        ("DELETE / HTTP/1.1", "405"), ("OPTIONS / HTTP/1.1", "405"), ("POST / HTTP/1.1", "411"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked", "411"), ("POST / HTTP/1.1\r\nContent-Length: 16385", "413"),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999", "4"), ("GET / HTTP/1.1\r\nContent-Length: 5", "400"),
        ("POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 5", "400"),
        ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 20_000))", "431")
    ])
    func refused(_ head: String, _ status: String) throws {
        let answer = try Self.serving { try RawClient(port: $0.port).ask(head) }
        #expect(Self.status(answer).hasPrefix(status))
    }

    @Test("A body of the whole length that there may be is taken")
    func longestBody() throws {
        let body = String(repeating: "b", count: 16_384)
        let answer = try Self.serving { try RawClient(port: $0.port).ask("POST / HTTP/1.1\r\nContent-Type: Text/Plain; charset=utf-8\r\nContent-Length: 16384", body) }
        #expect(answer?.contains(body) == true)
        #expect(answer?.contains("\"type\":\"text/plain\"") == true)
    }

    @Test("An answer whose header would begin another is not sent", arguments: ["a\r\nSet-Cookie: x=1", "a\nb", "a\u{0}b", "ä"])
    func headerInjection(_ value: String) throws {
        let answer = try Self.serving(WebLimits(), { _ in WebAnswer(status: 200, headers: [("X-Name", value)]) }) { try RawClient(port: $0.port).ask("GET / HTTP/1.1") }
        #expect(Self.status(answer) == "500")
        #expect(answer?.contains("X-Name") == false)
    }

    @Test("A client that sends a byte now and then is ended", arguments: ["GET / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc", ""])
    func slowClient(_ beginning: String) throws {
        try Self.serving(WebLimits(idleSeconds: 600, requestSeconds: 1)) { server in
            let client = try RawClient(port: server.port).send(beginning)
            #expect(client.rest() != nil)
        }
    }

    @Test("A client that says nothing is ended")
    func silentClient() throws {
        try Self.serving(WebLimits(idleSeconds: 1, requestSeconds: 600)) { server in
            let client = try RawClient(port: server.port).send("GET /")
            #expect(client.rest() != nil)
        }
    }

    @Test("One address has so many connections and no more, and the others are closed")
    func connectionsOfAnAddress() throws {
        try Self.serving(WebLimits(connections: 40, connectionsOfAddress: 4)) { server in
            let first = try (0..<4).map { _ in try RawClient(port: server.port) }
            try waitUntil("four are connected") { server.connections == 4 }
            let late = try RawClient(port: server.port)
            #expect(late.ask("GET / HTTP/1.1")?.isEmpty == true)
            for client in first { #expect(Self.status(client.ask("GET / HTTP/1.1")) == "200") }
        }
    }

    @Test("At a port of IPv6 those who come over IPv4 are told apart")
    func mappedAddresses() throws {
        let server = try WebServer(at: .internet(host: "::", port: 0), certificate: nil, policy: Self.policy,
                                   limits: WebLimits(connections: 40, connectionsOfAddress: 2), handler: Self.echo)
        defer { server.stop() }
        let first = try (0..<2).map { _ in try RawClient(port: server.port) }
        try waitUntil("two are connected") { server.connections == 2 }
        #expect(try RawClient(port: server.port).ask("GET / HTTP/1.1")?.isEmpty == true)
        #expect(Self.status(try RawClient(port: server.port, from: 2).ask("GET / HTTP/1.1")) == "200")
        withExtendedLifetime(first) {}
    }

    @Test("While half of all connections are taken each ends with its answer, so that who keeps asking keeps nobody out")
    func connectionsEnd() throws {
        try Self.serving(WebLimits(connections: 8, connectionsOfAddress: 8)) { server in
            let asked = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
            let first = try RawClient(port: server.port)
            #expect(!first.send(asked).some().contains("Connection: close"))
            let others = try (0..<4).map { _ in try RawClient(port: server.port) }
            try waitUntil("five are connected") { server.connections == 5 }
            // The first makes room, and so does each until half are free.
            #expect(first.send(asked).rest()?.contains("Connection: close") == true)
            try waitUntil("it is gone") { server.connections == 4 }
            for client in others { #expect(!client.send(asked).some().contains("Connection: close")) }
        }
    }

    @Test("Behind a Unix socket the sender is the last hop, and at a port nobody says who he is")
    func forwardedAddress() throws {
        let head = "GET / HTTP/1.1\r\nX-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 7.7.7.7, 192.0.2.9"
        let direct = try Self.serving { try RawClient(port: $0.port).ask(head) }
        #expect(direct?.contains("\"address\":\"127.0.0.1\"") == true)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-web-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let server = try WebServer(at: .unix(path: path), certificate: nil, policy: Self.policy, handler: Self.echo)
        defer { server.stop() }
        for (asked, address) in [(head, "192.0.2.9"), ("GET / HTTP/1.1\r\nX-Forwarded-For: 192.0.2.7:4711", "192.0.2.7"), ("GET / HTTP/1.1\r\nX-Forwarded-For: 6.6.6.6, nobody", ""), ("GET / HTTP/1.1", "")] {
            let answer = try RawClient(path: path).ask(asked)
            #expect(answer?.contains("\"address\":\"\(address)\"") == true)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o660)
    }

    @Test("Who is being answered when it stops gets the answer")
    func stopsInOrder() throws {
        let begun = Monitor(false), goOn = Monitor(false)
        let server = try WebServer(at: .internet(host: "127.0.0.1", port: 0), certificate: nil, policy: Self.policy) { _ in
            begun.change { $0 = true }
            _ = goOn.wait(untilNanoseconds: MonotonicTime.nanoseconds + 3_000_000_000) { $0 ? () : nil }
            return .text("done", status: 200)
        }
        let client = try RawClient(port: server.port).send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        try waitUntil("it is being answered") { begun.withLock { $0 } }
        let stopping = try Worker(name: "stop") { server.stop() }
        goOn.change { $0 = true }
        #expect(client.rest()?.hasSuffix("done\n") == true)
        #expect(stopping.ends(byMonotonicMilliseconds: MonotonicTime.milliseconds + Int64(WaitLimit.seconds) * 1000))
    }

    @Test("A form is what browsers send, and nothing else")
    func forms() {
        let form = WebForm(Array("subject=Ada+L%C3%B6v&places=hall%2Fentry&note=".utf8))
        #expect(form?["subject"] == "Ada Löv")
        #expect(form?["places"] == "hall/entry")
        #expect(form?["note"] == "")
        #expect(form?["other"] == nil)
        for wrong in ["a=1&a=2", "a=%", "a=%4", "a=%zz", "a=%FF", (0..<65).map { "a\($0)=1" }.joined(separator: "&")] { #expect(WebForm(Array(wrong.utf8)) == nil, "\(wrong)") }
    }

    @Test("A cookie, header or query that is there twice is none")
    func twice() {
        let request = WebRequest(method: .get, path: "/", queries: [("q", "1"), ("q", "2"), ("p", "3")],
                                 headers: [("cookie", "a=1; b=2; __Host-a=3"), ("cookie", "b=9"), ("origin", "x"), ("origin", "y")])
        #expect(request.cookie("a") == "1")
        #expect(request.cookie("b") == nil)
        #expect(request.header("origin") == nil)
        #expect(request.query("q") == nil)
        #expect(request.query("p") == "3")
    }
}
