import Encoding
import InvitationDesk
import Invitations
import Testing
import WebServer

@testable import InvitationServer

/// What attackers of operators try.
@Suite("The operators' page") struct OperatorPageTests {
    @Test("A wrong password and a name that nobody has are answered alike")
    func signIn() throws {
        let server = try ServerFixture()
        _ = try server.signedIn()
        let wrong = server.form("sign-in", [("name", "grace"), ("password", "wrong horse battery")])
        let nobody = server.form("sign-in", [("name", "nobody"), ("password", "wrong horse battery")])
        #expect(wrong.status == 403)
        #expect(nobody.status == 403)
        #expect(wrong.text == nobody.text)
        let right = server.form("sign-in", [("name", "grace"), ("password", ServerFixture.password)])
        #expect(right.status == 303)
        let cookie = try #require(right.header("Set-Cookie"))
        for word in ["__Host-tapstile=", "; Path=/;", "; Secure;", "; HttpOnly;", "; SameSite=Strict"] { #expect(cookie.contains(word), "\(word)") }
        #expect(!cookie.contains("Domain"))
    }

    @Test("The sixth try in a row waits, also with the right password, and another address does not")
    func passwordsAreTriedSlowly() throws {
        let server = try ServerFixture()
        _ = try server.signedIn()
        for _ in 0..<5 { #expect(server.form("sign-in", [("name", "grace"), ("password", "wrong horse battery")]).status == 403) }
        let right = [("name", "grace"), ("password", ServerFixture.password)]
        #expect(server.form("sign-in", right).status == 429)
        #expect(server.form("sign-in", right, from: [198, 51, 100, 1]).status == 303)
    }

    @Test("A form of another page does nothing, though the browser sends its cookie", arguments: [
        ("https://evil.example", "cross-site"), ("https://gates.example", "same-site"), (nil, "same-origin"), ("null", "same-origin"),
        ("https://gates.example:8443", "cross-site"), ("https://gates.example:8443.evil.example", nil)
    ] as [(String?, String?)])
    func crossSite(_ origin: String?, _ site: String?) throws {
        let server = try ServerFixture(), (cookie, token) = try server.signedIn()
        let code = try server.invite()
        let answer = server.form("change", [("form-token", token), ("id", "1"), ("change", "withdraw")], cookie: cookie, origin: origin, site: site)
        #expect(answer.status == 403)
        #expect(server.form("sign-in", [("name", "grace"), ("password", ServerFixture.password)], origin: origin, site: site).status == 403)
        #expect(server.post("begin", ["code": .string(code.text)]).status == 200)
    }

    @Test("A form without the token of its session does nothing", arguments: [nil, "", "AAAA"])
    func formToken(_ token: String?) throws {
        let server = try ServerFixture(), (cookie, _) = try server.signedIn()
        _ = try server.invite()
        for (name, fields) in [("change", [("id", "1"), ("change", "withdraw")]), ("invite", [("subject", "Eve"), ("days", "1"), ("open-days", "1")]), ("sign-out", [])] {
            #expect(server.form(name, fields + (token.map { [("form-token", $0)] } ?? []), cookie: cookie).status == 403)
        }
        #expect(try server.desk.invitations().map(\.state) == [.open])
        #expect(try server.desk.invitations().count == 1)
    }

    @Test("Nobody who is not signed in sees or does anything", arguments: ["", "invite", "log"])
    func signedOut(_ name: String) throws {
        let server = try ServerFixture()
        _ = try server.invite("Ada Lovelace")
        for cookie in [nil, "__Host-tapstile=AAAA", "__Host-tapstile="] {
            let page = server.page(name, cookie: cookie)
            #expect(page.text.contains("name=\"password\""))
            #expect(!page.text.contains("Lovelace"))
            #expect(server.form("change", [("id", "1"), ("change", "withdraw")], cookie: cookie).status == 403)
        }
    }

    @Test("A link is shown once, where it is made, and every change is in the log")
    func inviteAndTakeBack() throws {
        let server = try ServerFixture(), (cookie, token) = try server.signedIn()
        let fields = [("subject", "Ada"), ("places", "hall/entry, yard"), ("days", "2"), ("open-days", "7"), ("note", "meets Grace"), ("from", "")]
        let made = server.form("invite", fields + [("form-token", token)], cookie: cookie)
        #expect(made.status == 200)
        #expect(made.text.contains("https://gates.example/visit/#"))
        #expect(made.text.contains("<svg "))
        let invitation = try #require(try server.desk.invitations().first)
        #expect(invitation.wanted.audiences == ["tapstile:north/hall/entry", "tapstile:north/yard"])
        #expect(invitation.madeBy == "grace")
        for name in ["", "log"] { #expect(!server.page(name, cookie: cookie).text.contains("/visit/#")) }
        #expect(server.form("change", [("form-token", token), ("id", "\(invitation.id)"), ("change", "withdraw")], cookie: cookie).status == 303)
        #expect(server.form("change", [("form-token", token), ("id", "\(invitation.id)"), ("change", "withdraw")], cookie: cookie).status == 409)
        let log = server.page("log", cookie: cookie).text
        for word in ["invited", "withdrawn", "signed-in", "grace"] { #expect(log.contains(word)) }
    }

    @Test("What somebody types in wrong is told, and nothing is made", arguments: [
        [("subject", ""), ("days", "1"), ("open-days", "1")], [("subject", "Ada"), ("days", "0"), ("open-days", "1")], [("days", "1"), ("open-days", "1")],
        [("subject", "Ada\u{202E}"), ("days", "1"), ("open-days", "1")], [("subject", "Ada"), ("days", "1"), ("open-days", "1"), ("places", "tapstile:south")],
        [("subject", "Ada"), ("days", "1"), ("open-days", "1"), ("from", "tomorrow")]
    ])
    func wrongInput(_ fields: [(String, String)]) throws {
        let server = try ServerFixture(), (cookie, token) = try server.signedIn()
        let answer = server.form("invite", fields + [("form-token", token)], cookie: cookie)
        #expect(answer.status == 400)
        #expect(answer.text.contains("class=\"error\""))
        #expect(try server.desk.invitations().isEmpty)
    }

    @Test("A name is text, whatever stands in it")
    func names() throws {
        let server = try ServerFixture(), (cookie, _) = try server.signedIn()
        _ = try server.invite("</td><script>alert('1')</script>", note: "\"><img src=x>&amp;")
        let list = server.page(cookie: cookie).text
        #expect(list.contains("&lt;/td&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"))
        #expect(list.contains("&quot;&gt;&lt;img src=x&gt;&amp;amp;"))
        #expect(HTMLText.name("a\u{202E}b\u{1B}") == "<bdi>a\\u{202e}b\\u{1b}</bdi>")
    }

    @Test("No page needs a script or a style within it", arguments: ["", "invite", "log"])
    func plainPages(_ name: String) throws {
        let server = try ServerFixture(), (cookie, token) = try server.signedIn()
        _ = try server.invite()
        let invited = server.form("invite", [("form-token", token), ("subject", "Ada"), ("days", "1"), ("open-days", "1")], cookie: cookie)
        for page in [server.page(name, cookie: cookie), server.page(name), invited] {
            for word in ["<script", "style=", "onclick", "onload", "src=", "javascript:"] { #expect(!page.text.contains(word), "\(word)") }
        }
    }

    @Test("Where client certificates are wanted nothing is shown without one")
    func clientCertificate() throws {
        let server = try ServerFixture(clientAuthority: "/etc/ca.pem")
        #expect(server.page().status == 403)
        #expect(server.page("style.css").status == 403)
        #expect(server.page(hasClientCertificate: true).status == 200)
    }

    @Test("What changes something is not done by GET, and what only shows is not done by POST")
    func methods() throws {
        let server = try ServerFixture()
        for name in ["sign-in", "sign-out", "change"] { #expect(server.page(name).status == 303) }
        for name in ["", "log", "style.css"] { #expect(server.form(name, []).status == 405) }
        for name in ["../desk", "x", "invite/"] { #expect(server.page(name).status == 404) }
        #expect(server.form("change", [], type: "application/json").status == 415)
    }
}
