import Foundation
import Testing

@testable import WebServer

/// What is known of the certificate that browsers are shown.
@Suite("The certificate of a web server") struct CertificateTests {
    /// Of gates.example, with its key; good for nothing but these tests.
    private static let chain = """
        -----BEGIN CERTIFICATE-----
        MIIBhTCCASugAwIBAgIUB09QMdceO8qBGuFL67pTHnjHewgwCgYIKoZIzj0EAwIw
        GDEWMBQGA1UEAwwNZ2F0ZXMuZXhhbXBsZTAeFw0yNjExMjUxMzUwNDZaFw0yNjEy
        MDUxMzUwNDZaMBgxFjAUBgNVBAMMDWdhdGVzLmV4YW1wbGUwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAAROMtb2nFKeR6zLUkJQroHsq2an4MUYR6t8ggSc4mczWlvt
        VWODwG5RnIWeePIdtlcrII+K7hU4s3fj6Q+9NtKho1MwUTAdBgNVHQ4EFgQUIFLq
        SS3cx+Pf/M6kEx8Ptr2j1hAwHwYDVR0jBBgwFoAUIFLqSS3cx+Pf/M6kEx8Ptr2j
        1hAwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBWZDEAPjMdN4nn
        jz2LFPFH3L5eSTyqzdt/Ch7JpMzOywIhAOTJMU+d86iacu7dAYKqJgwc7bk2tGTN
        2Eb7le/92JD6
        -----END CERTIFICATE-----

        """
    private static let key = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIMa8KURyj4shEhcP1+9JA/tYy8Ni49GKGEmMzPxhkPpRoAoGCCqGSM49
        AwEHoUQDQgAETjLW9pxSnkesy1JCUK6B7Ktmp+DFGEerfIIEnOJnM1pb7VVjg8Bu
        UZyFnnjyHbZXKyCPiu4VOLN34+kPvTbSoQ==
        -----END EC PRIVATE KEY-----

        """
    private static let end: Int64 = 1_796_478_646

    private static func withFiles(_ chain: String, _ body: (WebCertificate) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-web-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = WebCertificate(chain: folder.appendingPathComponent("chain.pem").path, key: folder.appendingPathComponent("key.pem").path)
        try Data(chain.utf8).write(to: URL(fileURLWithPath: files.chain))
        try Data(key.utf8).write(to: URL(fileURLWithPath: files.key))
        try body(files)
    }

    @Test("Its end is told by the server that shows it, whatever lies in the file by then")
    func end() throws {
        try Self.withFiles(Self.chain) { files in
            let server = try WebServer(at: .internet(host: "127.0.0.1", port: 0), certificate: files, policy: WebServerTests.policy, handler: WebServerTests.echo)
            defer { server.stop() }
            try Data("no certificate".utf8).write(to: URL(fileURLWithPath: files.chain))
            #expect(throws: WebServerError.self) { try server.renewCertificate() }
            #expect(server.certificateEnd == Self.end)
        }
        #expect(try WebServerTests.serving { $0.certificateEnd } == nil)
    }
}
