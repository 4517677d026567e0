import Testing
@testable import Evidence

/// A report is read by people, and what it quotes was written by others.
@Suite struct QuotationTests {
    static let texts: [(String, String)] = [
        ("anna", "'anna'"), ("Zoë Ω 界", "'Zoë Ω 界'"), ("a'b", "'a\\u{27}b'"), ("\\n", "'\\u{5c}n'"),
        ("anna\nholds phone", "'anna\\u{a}holds phone'"), ("\u{1B}[2J", "'\\u{1b}[2J'"), ("\u{202E}", "'\\u{202e}'"),
        ("\u{2028}", "'\\u{2028}'"), ("\u{9B}", "'\\u{9b}'"), ("", "''")
    ]

    @Test(arguments: texts) func nothingQuotedLooksLikeAnotherLine(text: String, quoted: String) {
        #expect(Quotation.of(text) == quoted)
    }

    /// Evidence of before an upgrade counts, whatever people were called then.
    @Test func aNameWithALineInItStaysOnItsLine() throws {
        let site = try AuditSite()
        let tap = AuditSite.Tap(gateName: "g\nholds phone", subject: "anna\nholds phone")
        for trust in [site.trust(tap), EvidenceTrust()] {
            let report = EvidenceVerification.verify(try site.file(tap), against: trust)
            #expect(report.checks.allSatisfy { !$0.sentence.contains("\n") })
        }
    }
}
