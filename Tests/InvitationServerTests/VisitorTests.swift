import Cryptography
import Encoding
import Foundation
import Invitations
import Testing
import WebServer

@testable import InvitationServer

/// What strangers and visitors ask.
@Suite("Visitors") struct VisitorTests {
    @Test("A link that a scanner opens is not used, whatever it asks for")
    func scanner() throws {
        let server = try ServerFixture(), code = try server.invite()
        for method in [WebRequest.Method.get, .head] {
            #expect(server.get("/visit/", method).status == 200)
            for name in ["begin", "redeem", "nonce", "renew"] { #expect(server.get("/visit/api/1/\(name)", method).status == 405) }
        }
        // And one that runs scripts.
        for _ in 0..<20 { #expect(server.post("begin", ["code": .string(code.text)]).status == 200) }
        #expect(try server.redeem(code, SigningKey.generate()).status == 200)
    }

    @Test("A link in the page's folder publishes nothing, and no private key is shown to everybody")
    func linksInThePage() throws {
        let fixture = try ServerFixture(), page = "\(fixture.folder)/page"
        try FileManager.default.createSymbolicLink(atPath: "\(page)/key.txt", withDestinationPath: "\(fixture.folder)/desk/issuer.key")
        #expect(throws: WebServerError.self) { try VisitorPages(folder: page) }
        try FileManager.default.removeItem(atPath: "\(page)/key.txt")
        #expect(throws: Never.self) { try VisitorPages(folder: page) }
        try FileManager.default.copyItem(atPath: "\(fixture.folder)/desk/issuer.key", toPath: "\(page)/key.txt")
        #expect(throws: WebServerError.self) { try VisitorPages(folder: page) }
    }

    @Test("No path leads out of the page", arguments: [
        "/visit/../key.pem", "/visit/%2e%2e/desk/issuer.key", "/visit/..", "/visit//etc/passwd", "/visit/.secret.js", "/visit/key.pem", "/visit/page.js/", "/visit/./page.js",
        "/visit/page%2ejs", "/visit/PAGE.JS", "/visitor", "/", "", "/visit/page.js%00", "/visit/api/1/begin/", "/visit/api/2/begin"
    ])
    func traversal(_ path: String) throws { #expect(try ServerFixture().get(path).status == 404) }

    @Test("What is served was read at the start")
    func assets() throws {
        let server = try ServerFixture()
        try FileManager.default.removeItem(atPath: "\(server.folder)/page")
        let page = server.get("/visit/page.js")
        #expect(page.status == 200)
        #expect(page.header("Content-Type") == "text/javascript; charset=utf-8")
        let tag = try #require(page.header("ETag"))
        #expect(server.get("/visit/page.js", headers: [("if-none-match", tag)]).status == 304)
        #expect(server.get("/visit").header("Location") == "/visit/")
    }

    @Test("A body of another type, or of another page, does nothing", arguments: [
        ("text/plain", nil, 415), ("application/x-www-form-urlencoded", nil, 415), ("application/json", "cross-site", 403), ("application/json", "same-site", 403),
        ("application/json; charset=utf-8", "same-origin", 200)
    ] as [(String, String?, Int)])
    func otherPages(_ type: String, _ site: String?, _ status: Int) throws {
        let server = try ServerFixture()
        #expect(server.post("nonce", [:], type: type, site: site).status == status)
    }

    @Test("Who guesses codes is told to wait, and somebody else behind the same address gets in")
    func guesses() throws {
        let server = try ServerFixture(), code = try server.invite()
        var seen: Set<Int> = [], last = WebAnswer.text("", status: 0)
        for _ in 0..<40 {
            last = server.post("begin", ["code": .string(InvitationCode.make().text)])
            seen.insert(last.status)
        }
        #expect(seen == [404, 429])
        #expect(last.errorCode == "too-many")
        #expect(last.header("Retry-After") != nil)
        #expect(server.post("begin", ["code": .string(code.text)]).status == 200)
        #expect(try server.redeem(code, SigningKey.generate()).status == 200)
        #expect(server.post("begin", ["code": .string(InvitationCode.make().text)], from: [198, 51, 100, 1]).status == 404)
    }

    @Test("Codes that are none count as guesses, too")
    func malformedGuesses() throws {
        let server = try ServerFixture()
        let statuses = Set((0..<40).map { _ in server.post("begin", ["code": "short"]).status })
        #expect(statuses == [404, 429])
    }

    @Test("The same key gets the same token, another one none")
    func again() throws {
        let server = try ServerFixture(), code = try server.invite(), key = try SigningKey.generate()
        let first = try server.redeem(code, key)
        #expect(first.status == 200)
        #expect(try server.redeem(code, key).text == first.text)
        let other = try server.redeem(code, SigningKey.generate())
        #expect(other.status == 409)
        #expect(other.errorCode == "code-used")
    }

    @Test("While nobody answers for the clock nothing is issued")
    func clock() throws {
        let server = try ServerFixture(isVouchedFor: false), code = try server.invite()
        let answer = try server.redeem(code, SigningKey.generate())
        #expect(answer.status == 503)
        #expect(answer.errorCode == "busy")
        #expect(answer.header("Retry-After") == "30")
    }

    @Test("An answer is not kept, and an error says its code", arguments: ["{", "[]", "{\"code\":1}", "{\"code\":\"short\"}"])
    func malformed(_ body: String) throws {
        let server = try ServerFixture()
        let request = WebRequest(method: .post, path: "/visit/api/1/begin", headers: [("content-type", "application/json")], body: Array(body.utf8))
        let answer = server.visitors.answer(request)
        #expect([400, 404].contains(answer.status))
        #expect(answer.errorCode != nil)
        #expect(answer.header("Cache-Control") == "no-store")
    }
}
