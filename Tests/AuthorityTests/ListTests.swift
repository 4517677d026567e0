import Authority
import Credentials
import Cryptography
import Encoding
import Foundation
import Testing

@Suite("Lists of keys")
struct ListTests {
    let scratch: ScratchFolder
    let authority: Authority
    let point: String

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
        point = try phoneKey().point
    }

    private func enrol(_ text: String) throws -> (added: Int, replaced: Int) {
        try scratch.write("list", Array(text.utf8))
        return try authority.enrol(listAt: scratch.path("list"), now: now)
    }

    private func count() throws -> Int {
        var count = 0
        try authority.forEachEnrolled { _, _ in count += 1 }
        return count
    }

    @Test func everyMemberIsTaken() throws {
        let claims = ConfirmedKeyCredential(key: COSEKey(key: try phoneKey(), keyIdentifier: [5]), subject: "carl")
        let result = try enrol("""
            {"subject":"anna","key":"\(point)"}

            {"subject":"ben","key":"\(try phoneKey().point)","use":"agree","kid":"0a0b","audience":["tapstile:north/hall"],\
            "scope":["tokn","hold"],"userVerified":true,"notBefore":"2025-01-31T08:00:00Z","expires":"2026-01-31"}
            {"ccs":"\(Hex.encode(claims.raw))"}
            """)
        #expect(result == (3, 0))
        var keys: [EnrolledKey] = []
        try authority.forEachEnrolled { key, _ in keys.append(key) }
        #expect(keys.map(\.subject) == ["anna", "ben", "carl"])
        #expect(keys.map(\.use) == [.sign, .agree, .agree])
        #expect(keys.map(\.userVerification) == [false, true, false])
        #expect(keys[1].keyIdentifier == [0x0A, 0x0B] && keys[2].keyIdentifier == [5])
        #expect(keys[1].audiences == ["tapstile:north/hall"] && keys[1].scope == ["tokn", "hold"])
        #expect(keys[1].notBefore == now && keys[1].expiresAt == 1_769_817_600)
        #expect(try enrol("{\"subject\":\"anna\",\"key\":\"\(point)\"}\n") == (0, 1))
    }

    private func key() throws -> EnrolledKey {
        var keys: [EnrolledKey] = []
        try authority.forEachEnrolled { key, _ in keys.append(key) }
        return try #require(keys.last)
    }

    @Test func aLineThatDoesNotSayItLeavesItAlone() throws {
        let whole = #"{"subject":"anna","key":"POINT","use":"agree","kid":"0a0b","audience":["tapstile:north/side"],"scope":["hold"],"#
            + #""userVerified":true,"notBefore":"2025-01-31T08:00:00Z","expires":"2026-01-31"}"#
        #expect(try enrol(whole.replacing("POINT", with: point)) == (1, 0))
        let before = try key()
        #expect(try enrol("{\"subject\":\"anna\",\"key\":\"\(point)\"}") == (0, 1))
        #expect(try key() == before)
        let open = #"{"subject":"anna","key":"POINT","kid":null,"audience":null,"scope":null,"userVerified":null,"notBefore":null,"expires":null}"#
        #expect(try enrol(open.replacing("POINT", with: point)) == (0, 1))
        let after = try key()
        #expect(after.audiences.isEmpty && after.scope == ["tokn"] && after.notBefore == nil && after.expiresAt == nil && !after.userVerification)
        #expect(after.keyIdentifier != before.keyIdentifier && after.use == .agree)
    }

    /// The second would take the place of the first, and nobody would see it.
    @Test func twoLinesWithOneKeyAreRefused() throws {
        let line = "{\"subject\":\"anna\",\"key\":\"\(point)\"}\n"
        #expect(throws: AuthorityError.line(3, code: "csv-twice", message: "Line 1 has the same key.")) { try enrol(line + "\n" + line) }
        #expect(try count() == 0)
        #expect(try enrol(line) == (1, 0))
        #expect(try enrol(line) == (0, 1), "another list may have it again")
    }

    @Test func aByteOrderMarkIsNoPartOfTheFirstLine() throws {
        #expect(try enrol("\u{FEFF}{\"subject\":\"anna\",\"key\":\"\(point)\"}\n") == (1, 0))
        #expect(try enrol("\u{FEFF}\n") == (0, 0))
        #expect(throws: AuthorityError.self) { try enrol("\n\u{FEFF}{\"subject\":\"anna\",\"key\":\"\(point)\"}\n") }
    }

    @Test func whatIsHardlyMeantIsWarnedOf() throws {
        let line = "{\"subject\":\"anna\",\"key\":\"\(point)\",\"audience\":[\"tapstile:south\"],\"expires\":\"2025-01-31\"}"
        try scratch.write("list", Array(line.utf8))
        var told: [String] = []
        _ = try authority.enrol(listAt: scratch.path("list"), now: now) { told.append("\($0) \($1.code)") }
        #expect(told == ["1 audience-of-other-site", "1 expires-in-past"])
    }

    static let refused: [(String, String)] = [
        ("{", "list-entry-malformed"), ("[]", "list-entry-malformed"), (#"{"subject":"a"}"#, "list-entry-malformed"),
        (#"{"subject":"a","key":"04"}"#, "key-form-malformed"), (#"{"subject":"a","key":"xy"}"#, "key-form-unknown"),
        (#"{"subject":"a","key":{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AA"}}"#, "key-is-private"),
        (#"{"subject":"a","key":{"kty":"OKP","crv":"Ed25519","x":"AA"}}"#, "key-wrong-curve"),
        (#"{"subject":"a","key":5}"#, "list-entry-malformed"), (#"{"key":"POINT"}"#, "bad-subject"),
        (#"{"subject":"","key":"POINT"}"#, "bad-subject"), (#"{"subject":"a","key":"POINT","age":3}"#, "list-entry-malformed"),
        (#"{"subject":"a","key":"POINT","use":"both"}"#, "list-entry-malformed"),
        (#"{"subject":"a","key":"POINT","userVerified":"yes"}"#, "list-entry-malformed"),
        (#"{"subject":"a","key":"POINT","scope":"tokn"}"#, "list-entry-malformed"),
        (#"{"subject":"a","key":"POINT","scope":["a b"]}"#, "bad-command"),
        (#"{"subject":"a","key":"POINT","audience":[1]}"#, "list-entry-malformed"),
        (#"{"subject":"a","key":"POINT","audience":["north"]}"#, "bad-audience"),
        (#"{"subject":"a","key":"POINT","expires":"tomorrow"}"#, "list-entry-malformed"),
        (#"{"subject":"a","key":"POINT","notBefore":"2025-02-02","expires":"2025-02-01"}"#, "times-out-of-order"),
        (#"{"subject":"a","key":"POINT","kid":""}"#, "bad-key-identifier"),
        (#"{"subject":"a","key":"POINT","ccs":"a0"}"#, "list-entry-malformed"),
        (#"{"ccs":"a0"}"#, "cose-not-a-key"), (#"{"subject":"LONG","key":"POINT"}"#, "line-too-long"),
        (#"{"subject":"a","key":"04"# + String(repeating: "11", count: 64) + "\"}", "point-not-on-curve")
    ]

    @Test(arguments: refused)
    func oneBadLineRefusesTheWholeList(line: String, code: String) throws {
        let good = "{\"subject\":\"anna\",\"key\":\"\(try phoneKey().point)\"}\n"
        let bad = line.replacing("POINT", with: point).replacing("LONG", with: String(repeating: "x", count: 20000))
        #expect { try enrol(good + "\n" + bad + "\n" + good) } throws: { error in
            guard let error = error as? AuthorityError, case .line(3, code, _) = error else { return false }
            return error.code == "list-line-refused"
        }
        #expect(try count() == 0)
    }

    @Test func aListThatIsNotThereIsNamed() throws {
        #expect { try authority.enrol(listAt: scratch.path("none"), now: now) } throws: {
            ($0 as? AuthorityError)?.code == "system-call-failed"
        }
    }

    @Test func anEmptyListIsDone() throws {
        #expect(try enrol("") == (0, 0))
        #expect(try enrol("\n\n \r\n") == (0, 0))
    }

    /// More lines than are looked at together: none is lost between two pieces. That memory stays bounded
    /// is told with the real program (Tests/Scenarios/test_090_authority.py), which is alone in its process.
    @Test func aLongListIsTakenWholeAndPublished() throws {
        let count = 5000
        try writeList(count)
        #expect(try enrolled(listAt: "list") == (count, 0))
        #expect(try RepositoryFixture(authority, in: scratch).published().count { if case .enrolled = $0 { true } else { false } } == count)
    }

    private func enrolled(listAt name: String) throws -> (added: Int, replaced: Int) {
        try authority.enrol(listAt: scratch.path(name), now: now)
    }

    private func writeList(_ count: Int) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: makeEmpty("list")))
        for start in stride(from: 0, to: count, by: 1000) {
            var text = ""
            for number in start..<(start + 1000) {
                text += "{\"subject\":\"person \(number)\",\"key\":\"\(try phoneKey().point)\"}\n"
            }
            try file.write(contentsOf: Data(text.utf8))
        }
        try file.close()
    }

    private func makeEmpty(_ name: String) throws -> String {
        try scratch.write(name, [])
        return scratch.path(name)
    }
}
