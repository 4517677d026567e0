import Testing
@testable import SiteData

@Suite("Paths and patterns of targets")
struct TargetPathTests {
    @Test("A path leads nowhere else", arguments: [
        "", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", "a/.", "%2e%2e/a", "%2E./a", "a%2fb", "a%5cb", "a\\b", "a\u{0}b",
        "a%00b", "a\nb", "a%0ab", "a%", "a%2", "a%zz", "a%+1", "a\u{7F}", String(repeating: "a", count: 1025)
    ])
    func unsafe(_ path: String) {
        #expect(TargetPath(path) == nil)
    }

    @Test("Other paths are paths", arguments: [
        "a", "a/b/c.tgz", "...", "a b", ".hidden/x", "100%25", "\u{E9}/\u{1F6AA}", "a?b#c", String(repeating: "a", count: 1024)
    ])
    func safe(_ path: String) {
        #expect(TargetPath(path)?.path.text == path)
    }

    @Test("The hash stands before the name, not before the folder")
    func fileNames() throws {
        #expect(try #require(TargetPath("a/b c/d?e")).fileName(prefix: "0f") == "a/b%20c/0f.d%3Fe")
        #expect(try #require(TargetPath("a")).fileName(prefix: "0f") == "0f.a")
        #expect(try #require(TargetPath("a/b")).fileName(prefix: nil) == "a/b")
    }

    @Test("Patterns that fit", arguments: [
        ("*.tgz", "foo.tgz"), ("targets/*.tgz", "targets/bar.tgz"), ("foo-?.tgz", "foo-2.tgz"), ("*", "x"), ("**", "x"),
        ("a*b*c", "aXbXbXc"), ("*/*", "a/b"), ("[abc]", "b"), ("[a-c]x", "cx"), ("[!a]", "b"), ("[]]", "]"), ("[!]]", "a"),
        ("[", "["), ("[ab", "[ab"), ("[a-]", "-"), ("[-a]", "-"), ("[a-c-e]", "-"), ("[!b-a]", "x"), ("?", "\u{1F6AA}"),
        ("a*", "a"), ("*a", "aaa"), (".*", ".x"), ("*", ".x")
    ])
    func fits(_ pattern: String, _ path: String) {
        #expect(PathPattern(pattern).fits(path))
    }

    @Test("Patterns that do not fit", arguments: [
        ("*.tgz", "targets/foo.tgz"), ("*", "a/b"), ("foo-?.tgz", "foo-alpha.tgz"), ("foo.tgz", "Foo.tgz"), ("a/*", "a"), ("?", ""),
        ("a?b", "a/b"), ("[a/b]", "a"), ("[!a]", "a"), ("[b-a]", "a"), ("a*b", "ac"), ("[abc]", "d"), ("\\*", "*"),
        ("?", "e\u{301}"), ("\u{E9}", "e\u{301}"), ("", "a")
    ])
    func fitsNot(_ pattern: String, _ path: String) {
        #expect(!PathPattern(pattern).fits(path))
    }

    @Test("Many stars cost no more than the product of the lengths")
    func stars() {
        let pattern = String(repeating: "a*", count: 500) + "b"
        #expect(!PathPattern(pattern).fits(String(repeating: "a", count: 1000)))
    }
}
