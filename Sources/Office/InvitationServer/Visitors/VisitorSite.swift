import Encoding
import InvitationDesk
import Invitations
import Threads
import WebServer

/// What visitors' browsers and phones are answered (docs/invitations.md): the page, which is the same for all, and four requests.
///
/// Any of the server's threads calls it. `limits` and `pages` are locks of their own, never held together or while the desk works.
final class VisitorSite: Sendable {
    /// The requests, by what follows the path of the site's address.
    private enum Request: String {
        case begin = "api/1/begin", redeem = "api/1/redeem", nonce = "api/1/nonce", renew = "api/1/renew"
    }

    private let desk: InvitationDesk
    private let clock: ServingClock
    private let root: String
    private let limits = Mutex(RequestLimits())
    private let pages: Mutex<VisitorPages>

    /// - Parameter pages: what is served of it.
    init(desk: InvitationDesk, clock: @escaping ServingClock, pages: VisitorPages) {
        (self.desk, self.clock) = (desk, clock)
        root = ServedPath.root(of: desk.settings.url)
        self.pages = Mutex(pages)
    }

    /// Scripts and styles of this page alone; it talks to nobody else, and no other page shows it.
    static func policy(isSecure: Bool) -> WebPolicy {
        let content = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
            + "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return WebPolicy(content: content, permissions: ServedPath.permissions(bluetooth: "(self)"), isSecure: isSecure)
    }

    /// In the place of a body that is too long.
    static let tooLong = answer(InvitationFault.tooLong)

    /// From now on this is the page.
    func serve(_ fresh: VisitorPages) { pages.withLock { $0 = fresh } }

    /// Answers a request.
    func answer(_ request: WebRequest) -> WebAnswer {
        guard let name = ServedPath.name(request.path, below: root) else {
            return request.path + "/" == root && request.method.onlyReads ? ServedPath.moved(to: root) : ServedPath.nothing
        }
        if let asked = Request(rawValue: name) {
            return request.method == .post ? answer(asked, request) : ServedPath.wrongMethod("POST")
        }
        let pages = pages.withLock { $0 }
        guard let found = pages.answer(name, known: request.header("if-none-match")) else { return ServedPath.nothing }
        return request.method.onlyReads ? found : ServedPath.wrongMethod("GET, HEAD")
    }

    private func answer(_ asked: Request, _ request: WebRequest) -> WebAnswer {
        // A page of somebody else gets nothing done here, whatever its visitors have.
        if let site = request.header("sec-fetch-site"), site != "same-origin" { return .text("Another page asks.", status: 403) }
        guard request.mediaType == "application/json" else { return .text("Say it in application/json.", status: 415) }
        do throws(InvitationFault) {
            // Tokens are dated: a clock for which nobody answers dates none.
            guard let now = clock() else { throw .busy(retryAfter: 30) }
            return .json(try json(asked, request, now: now))
        } catch {
            return Self.answer(error)
        }
    }

    private func json(_ asked: Request, _ request: WebRequest, now: Int64) throws(InvitationFault) -> JSON {
        let sender = SenderAddress(bytes: request.address)
        switch asked {
        case .begin:
            let wanted = try limited(sender, nil) { () throws(InvitationFault) in try BeginRequest(json: request.body) }
            return try limited(sender, wanted.code.hash) { () throws(InvitationFault) in try desk.begin(wanted, now: now).json }
        case .redeem:
            let wanted = try limited(sender, nil) { () throws(InvitationFault) in try RedeemRequest(json: request.body) }
            return try limited(sender, wanted.code.hash) { () throws(InvitationFault) in try desk.redeem(wanted, now: now).json }
        case .renew:
            let wanted = try limited(sender, nil) { () throws(InvitationFault) in try RenewRequest(json: request.body) }
            return try limited(sender, nil) { () throws(InvitationFault) in try desk.renew(wanted, now: now).json }
        case .nonce:
            return ["nonce": .string(desk.nonce(now: now)), "time": JSON(now)]
        }
    }

    /// What fails counts: codes that are none, too.
    private func limited<Answer>(_ sender: SenderAddress, _ codeHash: [UInt8]?, _ body: () throws(InvitationFault) -> Answer)
        throws(InvitationFault) -> Answer {
        let now = MonotonicTime.milliseconds
        try limits.withLock { limits throws(InvitationFault) in try limits.check(codeHash: codeHash, now: now) }
        do throws(InvitationFault) { return try body() } catch {
            let fault = error
            throw limits.withLock { $0.answer(fault, from: sender, codeHash: codeHash, now: now) }
        }
    }

    private static func answer(_ fault: InvitationFault) -> WebAnswer {
        .json(fault.json, status: fault.status, headers: fault.retryAfter.map { [("Retry-After", String($0))] } ?? [])
    }
}
