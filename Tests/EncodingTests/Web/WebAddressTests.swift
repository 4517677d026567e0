import Encoding
import Testing

@Suite("Addresses of the web")
struct WebAddressTests {
    @Test func onePlaceHasOneReading() throws {
        let address = try #require(WebAddress("HTTPS://Gates.Example.ORG/site/a%20b?x=/../y"))
        #expect(address.scheme == .https)
        #expect(address.host == "gates.example.org")
        #expect(address.port == 443)
        #expect(address.path == "/site/a%20b")
        #expect(WebAddress("http://[2001:DB8::1]:8080")?.host == "[2001:db8::1]")
        #expect(WebAddress("http://a?b")?.path == "/")
    }

    @Test("What leads elsewhere than it looks is no address", arguments: [
        "https://gates.example.org@evil.example/site", "https://user:word@gates.example.org/site", "https://gates.example.org\\@evil.example/",
        "https://gates.example.org/site/../other", "https://gates.example.org/site/%2e%2E/other", "https://gates.example.org/site/.%2e/other",
        "https://gates.example.org/site/./x", "https://gates.example.org/site%2f..%2fother", "https://gates.example.org/site%5c..%5cother",
        "https://gates.example.org/site/%252e%252e/other", "https://gates.example.org/%00", "https://gates.example.org/%4", "https://gates.example.org/%zz",
        "https://gates.example.org./site", "https://.example.org/", "https://a..b/", "https:///site", "https://", "https:/a", "//a/b", "", "https",
        "ftp://gates.example.org/", "file:///etc/passwd", "https://gates.example.org:/", "https://gates.example.org:0/",
        "https://gates.example.org:65536/", "https://gates.example.org:+80/", "https://gates.example.org:443:443/", "https://[::1/", "https://[]/",
        "https://[::1%25eth0]/", "https://[::1]x/", "https://gates.example.org/a b", "https://gates.example.org/\u{202E}x", "https://gätes.example.org/",
        "https://gates.example.org/#a", "https://gates.example.org/\n", " https://gates.example.org/", "https://a%2eb/",
        "https://" + String(repeating: "a", count: 64) + "/", "https://gates.example.org/" + String(repeating: "a", count: 4096)
    ])
    func noAddress(_ text: String) { #expect(WebAddress(text) == nil) }

    @Test("A prefix covers what lies at or below it", arguments: [
        ("https://a.example/site", "https://a.example/site"), ("https://a.example/site", "https://a.example/site/x/y"),
        ("https://a.example/site", "https://a.example/site?x"), ("https://a.example/site/", "https://a.example/site/x"),
        ("https://a.example", "https://a.example/x"), ("https://a.example", "https://A.EXAMPLE:443/"), ("http://a.example:80/", "http://a.example/x")
    ])
    func covered(_ prefix: String, _ other: String) throws {
        #expect(try #require(WebAddress(prefix)).covers(try #require(WebAddress(other))))
    }

    @Test("And nothing beside it", arguments: [
        ("https://a.example/site", "https://a.example/site-of-others"), ("https://a.example/site", "https://a.example/sit"),
        ("https://a.example/site/", "https://a.example/site"), ("https://a.example/site", "https://a.example/SITE/x"),
        ("https://a.example/site", "http://a.example/site"), ("https://a.example/site", "https://a.example:444/site"),
        ("https://a.example/site", "https://b.a.example/site"), ("https://a.example", "https://a.example.evil/"),
        ("https://a.example/a%20b", "https://a.example/a%20"), ("http://127.0.0.1/", "http://[::1]/")
    ])
    func notCovered(_ prefix: String, _ other: String) throws {
        #expect(!(try #require(WebAddress(prefix)).covers(try #require(WebAddress(other)))))
    }

    @Test func aServerIsSchemeHostAndPort() throws {
        let one = try #require(WebAddress("https://a.example/site"))
        #expect(one.isSameServer(as: try #require(WebAddress("https://A.example:443/other"))))
        for other in ["http://a.example/site", "https://a.example:8443/site", "https://b.example/site"] {
            #expect(!one.isSameServer(as: try #require(WebAddress(other))))
        }
    }
}
