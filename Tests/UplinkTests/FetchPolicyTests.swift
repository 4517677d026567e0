import CCURL
import ControlProtocol
import Encoding
import Testing

@testable import Uplink

@Suite("What may be fetched")
struct FetchPolicyTests {
    static func policy(_ listed: [String], known: [String] = [], local: [String] = []) throws -> FetchPolicy {
        FetchPolicy(listed: listed.compactMap(WebAddress.init), known: known.compactMap(WebAddress.init), local: Set(local.compactMap(NetworkAddress.init)),
                    setup: try FetchSetup(agent: "tapstile"))
    }

    @Test func onlyWhatIsListedIsAskedFor() throws {
        let policy = try Self.policy(["https://a.example/site", "https://b.example"])
        #expect(policy.fault(of: "https://a.example/site/metadata/1.root.json") == nil)
        #expect(policy.fault(of: "https://b.example/x") == nil)
        for url in ["https://a.example/", "http://a.example/site/x", "https://c.example/", "https://a.example/site/../x", "https://b.example@c.example/"] {
            #expect(policy.fault(of: url)?.kind == .notListed)
        }
        #expect(try Self.policy([]).fault(of: "https://a.example/") != nil)
    }

    @Test func theCertificateIsForKnownServersOnly() throws {
        let policy = try Self.policy(["https://a.example/site", "https://b.example"], known: ["https://a.example/site"])
        #expect(policy.isKnown("https://a.example/site/x"))
        #expect(!policy.isKnown("https://b.example/x"))
        #expect(!policy.isKnown("https://a.example:8443/site/x"))
    }

    @Test func localAddressesAreThoseThatAreNamed() throws {
        let policy = try Self.policy([], local: ["127.0.0.1", "fe80::1"])
        for (text, isAllowed) in [("127.0.0.1", true), ("127.0.0.2", false), ("::ffff:127.0.0.1", true), ("::1", false), ("fe80::1", true), ("192.0.2.1", true)] {
            #expect(policy.allows(try #require(NetworkAddress(text))) == isAllowed, "\(text)")
        }
    }

    /// Both must read an address alike: what libcurl takes for the host decides where the connection leads.
    @Test("libcurl reads them as we do", arguments: [
        "https://a.example/site", "HTTPS://A.example:8443/x/y?z=/../w", "http://[2001:DB8::1]:80/", "http://[::ffff:127.0.0.1]/", "http://a", "http://a?b",
        "https://a_b.example/a:b@c/d", "https://127.0.0.1:1/%41", "https://x-y.example/a//b", "http://a/;x=1&y", "http://a.example/...", "http://a/%20%7E"
    ])
    func sameReading(_ text: String) throws {
        let ours = try #require(WebAddress(text))
        let theirs = try #require(curl_url())
        defer { curl_url_cleanup(theirs) }
        #expect(curl_url_set(theirs, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK)
        func part(_ part: CURLUPart) throws -> String {
            var found: UnsafeMutablePointer<CChar>?
            #expect(curl_url_get(theirs, part, &found, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK)
            defer { curl_free(found) }
            return String(cString: try #require(found))
        }
        #expect(try part(CURLUPART_SCHEME) == ours.scheme.rawValue)
        let host = try part(CURLUPART_HOST).lowercased()
        let address = NetworkAddress(ours.host.trimmed)
        #expect(NetworkAddress(host.trimmed) == address)
        #expect(host == ours.host || address != nil)
        #expect(try part(CURLUPART_PORT) == String(ours.port))
        #expect(try part(CURLUPART_PATH) == ours.path)
    }
}

extension String {
    /// Without the brackets of an address of IPv6.
    fileprivate var trimmed: String { hasPrefix("[") ? String(dropFirst().dropLast()) : self }
}
