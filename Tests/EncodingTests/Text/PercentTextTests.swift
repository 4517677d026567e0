import Encoding
import Testing

@Suite("Percent-encoding")
struct PercentTextTests {
    @Test("A name has no slash and nothing else that means something in a path or URL", arguments: [
        ("targets", "targets"), ("a-Z_0.9~", "a-Z_0.9~"), ("?", "%3F"), ("#", "%23"), ("/role", "%2Frole"),
        ("../role", "..%2Frole"), ("a b", "a%20b"), ("100%", "100%25"), ("\u{E9}", "%C3%A9"), ("e\u{301}", "e%CC%81"),
        ("\u{0}", "%00"), ("", "")
    ])
    func names(_ text: String, _ encoded: String) {
        #expect(PercentText.encode(text) == encoded)
    }

    @Test("A path keeps its slashes and what is encoded already", arguments: [
        ("a/b.c", "a/b.c"), ("a b/c", "a%20b/c"), ("a%20b", "a%20b"), ("a?b#c", "a%3Fb%23c"), ("x@1:2,(3)", "x@1:2,(3)"),
        ("\u{E9}", "%C3%A9")
    ])
    func paths(_ text: String, _ encoded: String) {
        #expect(PercentText.encodePath(text) == encoded)
    }

    @Test("Texts are equal when their bytes are")
    func exact() {
        #expect("\u{E9}" == "e\u{301}")
        #expect(ExactText("\u{E9}") != ExactText("e\u{301}"))
        #expect([ExactText("\u{E9}"): 1, ExactText("e\u{301}"): 2].count == 2)
        #expect(ExactText("a") == ExactText("a"))
    }

    @Test("A time in seconds has one form")
    func times() {
        #expect(UTCText.readSeconds("1985-10-21T01:21:00Z") == 498_705_660)
        #expect(UTCText.readSeconds("1970-01-01T00:00:00Z") == 0)
    }

    @Test("Anything else is no time in seconds", arguments: [
        "2025-01-31T08:30:00.5Z", "2025-01-31T08:30Z", "2025-01-31", "2025-02-30T00:00:00Z", "2025-01-31T24:00:00Z",
        "2025-01-31T08:30:00z", "2025-01-31T08:30:00+0", "2025-1-31T008:30:00Z", " 025-01-31T08:30:00Z", ""
    ])
    func otherTimes(_ text: String) {
        #expect(UTCText.readSeconds(text) == nil)
    }
}
