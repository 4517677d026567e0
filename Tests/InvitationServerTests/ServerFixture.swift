import Credentials
import Cryptography
import Encoding
import Foundation
import InvitationDesk
import Invitations
import Testing
import WebServer

@testable import InvitationServer

/// 2026-11-25T12:00:00Z
let noon: Int64 = 1_795_608_000

/// Both sites on a desk in a folder of their own, gone with it.
final class ServerFixture: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-server-\(UUID().uuidString)").path
    let desk: InvitationDesk
    let visitors: VisitorSite
    let operators: OperatorSite

    static let origin = "https://gates.example", operatorOrigin = "https://gates.example:8443"
    static let password = "correct horse battery"

    init(isVouchedFor: Bool = true, clientAuthority: String? = nil) throws {
        for name in ["", "/page"] { try FileManager.default.createDirectory(atPath: folder + name, withIntermediateDirectories: true) }
        for (name, text) in [("index.html", "<!DOCTYPE html>"), ("page.js", "1"), (".secret.js", "2"), ("key.pem", "3")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/page/\(name)"))
        }
        let gates = GateListEntry.issuer(GateIssuer(site: "north", name: "gates", key: try SigningKey.generate().publicKey)).encoded
        try Data(gates).write(to: URL(fileURLWithPath: "\(folder)/gates.phone"))
        let new = NewDesk(site: "north", issuer: "visitors", url: "\(Self.origin)/visit", listen: "unix:/run/visitors.sock", gates: "../gates.phone",
                          operatorURL: "\(Self.operatorOrigin)/op", operatorListen: "unix:/run/operators.sock")
        try InvitationDesk.make(folder: "\(folder)/desk", new, now: noon)
        desk = try InvitationDesk.open(folder: "\(folder)/desk")
        let clock: ServingClock = { isVouchedFor ? noon : nil }
        visitors = VisitorSite(desk: desk, clock: clock, pages: try VisitorPages(folder: "\(folder)/page"))
        var page = try #require(desk.settings.operatorPage)
        page.clientAuthority = clientAuthority
        operators = OperatorSite(desk: desk, settings: page, clock: clock)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func invite(_ subject: String = "Ada", note: String = "") throws -> InvitationCode {
        try desk.invite(NewInvitation(subject: subject, expires: noon + 86_400, note: note), by: "op", now: noon).code
    }

    // Visitors

    func get(_ path: String, _ method: WebRequest.Method = .get, headers: [(name: String, value: String)] = []) -> WebAnswer {
        visitors.answer(WebRequest(method: method, path: path, headers: headers))
    }

    func post(_ name: String, _ body: JSON, type: String = "application/json", from address: [UInt8] = [192, 0, 2, 1], site: String? = nil) -> WebAnswer {
        let headers = [("content-type", type)] + (site.map { [("sec-fetch-site", $0)] } ?? [])
        return visitors.answer(WebRequest(method: .post, path: "/visit/api/1/\(name)", headers: headers, body: body.canonical, address: address))
    }

    func redeem(_ code: InvitationCode, _ key: SigningKey, from address: [UInt8] = [192, 0, 2, 1]) throws -> WebAnswer {
        let nonce = try #require(NonceText(desk.nonce(now: noon)))
        return post("redeem", try RedeemRequest(code: code, key: key, nonce: nonce, origin: Self.origin, time: noon).json, from: address)
    }

    // Operators

    func form(_ name: String, _ fields: [(String, String)], cookie: String? = nil, origin: String? = operatorOrigin, site: String? = "same-origin",
              from address: [UInt8] = [192, 0, 2, 7], type: String = "application/x-www-form-urlencoded") -> WebAnswer {
        var headers = [("content-type", type)]
        if let origin { headers.append(("origin", origin)) }
        if let site { headers.append(("sec-fetch-site", site)) }
        if let cookie { headers.append(("cookie", cookie)) }
        let body = fields.map { "\(PercentText.encode($0.0))=\(PercentText.encode($0.1))" }.joined(separator: "&")
        return operators.answer(WebRequest(method: .post, path: "/op/\(name)", headers: headers, body: Array(body.utf8), address: address))
    }

    func page(_ name: String = "", cookie: String? = nil, hasClientCertificate: Bool = false) -> WebAnswer {
        operators.answer(WebRequest(method: .get, path: "/op/\(name)", headers: cookie.map { [("cookie", $0)] } ?? [], hasClientCertificate: hasClientCertificate))
    }

    /// The cookie of an operator, and what forms of the session carry.
    func signedIn() throws -> (cookie: String, formToken: String) {
        try desk.setPassword(name: "grace", password: Self.password, by: "test", now: noon)
        let session = try desk.signIn(name: "grace", password: Self.password, now: noon)
        return ("__Host-tapstile=\(session.token)", session.formToken)
    }
}

extension WebAnswer {
    var text: String {
        switch body {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .shared: "(shared)"
        }
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The code of an error in JSON.
    var errorCode: String? { (try? JSON.parse(Array(text.utf8)))?["error"]?["code"]?.string }
}
