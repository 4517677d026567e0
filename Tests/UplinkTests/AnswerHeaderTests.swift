import CCURL
import ControlProtocol
import Testing

@testable import Uplink

@Suite("Headers of answers")
struct AnswerHeaderTests {
    static func read(_ lines: [String]) -> AnswerHeader {
        var header = AnswerHeader()
        for line in lines { #expect(accept(line, &header)) }
        return header
    }

    static func accept(_ line: String, _ header: inout AnswerHeader) -> Bool {
        Array((line + "\r\n").utf8).withUnsafeBytes { header.read($0) }
    }

    @Test func namesHaveNoCaseAndValuesNoSpaceAroundThem() {
        let header = Self.read(["HTTP/1.1 206 Partial Content", "ETAG:\t \"a\" ", "content-Range: bytes 4-9/10", "ETagged: x", ""])
        #expect(header.tag == Array("\"a\"".utf8))
        #expect(header.rangeStart == 4)
    }

    @Test func whatStandsBeforeTheFinalAnswerIsNotOfIt() {
        let header = Self.read(["HTTP/1.1 103 Early Hints", "ETag: \"a\"", "", "HTTP/1.1 200 OK", ""])
        #expect(header.tag == nil)
    }

    @Test func theTagOfAFileThatMayStillChangeWithinItsSecondIsNone() {
        let (first, next) = ("Sun, 22 Nov 2026 18:51:05 GMT", "Sun, 22 Nov 2026 18:51:06 GMT")
        let tag = Array("\"a\"".utf8)
        #expect(Self.read(["Date: \(first)", "Last-Modified: \(first)", "ETag: \"a\""]).tag == nil)
        #expect(Self.read(["Date: \(next)", "Last-Modified: \(first)", "ETag: \"a\""]).tag == tag)
        #expect(Self.read(["Date: \(first)", "ETag: \"a\""]).tag == tag)
        #expect(Self.read(["ETag: \"a\""]).tag == tag)
    }

    @Test("A range that does not say where it begins", arguments: [
        "bytes */10", "bytes -9/10", "items 4-9/10", "bytes 4", "bytes ", "", "bytes 99999999999999999999-/1", "bytes +4-9/10"
    ])
    func ranges(text: String) {
        #expect(Self.read(["Content-Range: \(text)"]).rangeStart == nil)
    }

    @Test func aBombIsDefused() {
        var header = AnswerHeader()
        let line = String(repeating: "x", count: 998)
        for _ in 0..<65 { #expect(Self.accept(line, &header)) }
        // 65,000 bytes until now.
        #expect(!Self.accept(line, &header))
    }

    @Test("What libcurl says is told by what it means", arguments: [
        (CURLE_COULDNT_RESOLVE_HOST, "", FetchFault.Kind.nameNotFound), (CURLE_COULDNT_CONNECT, "", .connectFailed),
        (CURLE_PEER_FAILED_VERIFICATION, "", .certificateRefused), (CURLE_SSL_CACERT_BADFILE, "", .certificateUnusable),
        (CURLE_RECV_ERROR, "tlsv13 alert certificate required, errno 0", .clientCertificateRefused), (CURLE_RECV_ERROR, "reset", .connectionLost),
        (CURLE_PARTIAL_FILE, "", .connectionLost), (CURLE_LOGIN_DENIED, "", .addressRefused), (CURLE_FTP_WEIRD_PASS_REPLY, "", .other)
    ])
    func faults(result: CURLcode, detail: String, kind: FetchFault.Kind) {
        #expect(FetchFault.of(result, detail: detail, hasProxy: false, connectStatus: 0).kind == kind)
    }

    @Test func whatAProxyDoesIsSaidOfIt() {
        #expect(FetchFault.of(CURLE_RECV_ERROR, detail: "", hasProxy: true, connectStatus: 403).kind == .proxyFailed)
        #expect(FetchFault.of(CURLE_RECV_ERROR, detail: "", hasProxy: true, connectStatus: 200).kind == .connectionLost)
        #expect(FetchFault.of(CURLE_COULDNT_CONNECT, detail: "", hasProxy: true, connectStatus: 0).kind == .proxyFailed)
    }
}
