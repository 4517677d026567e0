import Encoding
import InvitationDesk
import Invitations
import Threads
import WebServer

/// What operators' browsers are answered: pages without scripts, and forms. (An origin of its own: a page for visitors can do nothing here.)
///
/// Any of the server's threads calls it. `tries` is a lock of its own, not held while the desk works.
final class OperatorSite: Sendable {
    let desk: InvitationDesk
    let pages: OperatorPages
    private let clock: ServingClock
    private let report: @Sendable (String) -> Void
    private let origin: String
    private let needsCertificate: Bool
    private let root: String
    private let tries = Mutex(RateLimit<SenderAddress>(pace: OperatorSite.pace))

    /// Five times at once from an address, and once more each half minute.
    private static let pace = RateLimit<SenderAddress>.Pace(burst: 5, interval: 30_000)
    private static let cookie = "__Host-tapstile"
    /// Invitations on a page, and entries of the log.
    static let pageLength = 100

    /// - Parameter report: is told what operators should know of, for the log.
    init(desk: InvitationDesk, settings: OperatorPageSettings, clock: @escaping ServingClock, report: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.desk, self.clock, self.report, origin) = (desk, clock, report, settings.origin)
        needsCertificate = settings.clientAuthority != nil
        root = ServedPath.root(of: settings.url)
        pages = OperatorPages(root: root, site: desk.settings.site)
    }

    /// The address of a page goes along within the site only, and so browsers say from which page a form comes.
    static func policy(isSecure: Bool) -> WebPolicy {
        WebPolicy(content: "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
                  permissions: ServedPath.permissions(bluetooth: "()"), referrer: "same-origin", isSecure: isSecure)
    }

    /// Answers a request.
    func answer(_ request: WebRequest) -> WebAnswer {
        guard !needsCertificate || request.hasClientCertificate else { return .text("This page wants a certificate of yours.", status: 403) }
        guard let name = ServedPath.name(request.path, below: root) else {
            return request.path + "/" == root && request.method.onlyReads ? ServedPath.moved(to: root) : ServedPath.nothing
        }
        guard let now = clock() else { return .text("Nobody answers for this machine's clock. Try again later.", status: 503) }
        return request.method.onlyReads ? shown(name, request, now: now) : sent(name, request, now: now)
    }

    private func shown(_ name: String, _ request: WebRequest, now: Int64) -> WebAnswer {
        if name == "style.css" { return WebAnswer(status: 200, headers: [("Content-Type", "text/css; charset=utf-8"), ("Cache-Control", "no-cache")], body: Self.style) }
        guard ["", "invite", "log"].contains(name) else {
            return ["sign-in", "sign-out", "change"].contains(name) ? .seeOther(root) : ServedPath.nothing
        }
        return answered { () throws(DeskError) in
            guard let session = try session(request, now: now) else { return .html(pages.signIn()) }
            switch name {
            case "invite": return .html(pages.inviteForm(session))
            case "log": return .html(pages.log(try desk.log(limit: Self.pageLength), session))
            default: return .html(try list(session, before: request.query("before").flatMap { Int64($0) }))
            }
        }
    }

    private func sent(_ name: String, _ request: WebRequest, now: Int64) -> WebAnswer {
        guard ["sign-in", "sign-out", "invite", "change"].contains(name) else {
            return ["", "log", "style.css"].contains(name) ? ServedPath.wrongMethod("GET, HEAD") : ServedPath.nothing
        }
        guard isOurs(request) else { return .text("Another page sends this form.", status: 403) }
        guard request.mediaType == "application/x-www-form-urlencoded" else { return .text("Send a form.", status: 415) }
        guard let form = WebForm(request.body) else { return .text("This is no form.", status: 400) }
        if name == "sign-in" { return signIn(form, request, now: now) }
        return answered { () throws(DeskError) in
            guard let session = try session(request, now: now) else { return .html(pages.signIn("Sign in again."), status: 403) }
            guard session.fits(formToken: form["form-token"] ?? "") else { return .text("The form is not of this session. Load the page again.", status: 403) }
            switch name {
            case "invite": return try invite(form, session, now: now)
            case "change": return try change(form, session, now: now)
            default:
                try desk.signOut(token: session.token)
                return .seeOther(root, headers: [("Set-Cookie", Self.cookie(value: "", seconds: 0))])
            }
        }
    }

    /// A form of another page than ours has another origin, whatever cookies come with it.
    private func isOurs(_ request: WebRequest) -> Bool {
        if let site = request.header("sec-fetch-site"), site != "same-origin" { return false }
        return request.header("origin") == origin
    }

    private func signIn(_ form: WebForm, _ request: WebRequest, now: Int64) -> WebAnswer {
        let sender = SenderAddress(bytes: request.address), time = MonotonicTime.milliseconds
        // Charged before the password is tried: of many tries at once, no more are made.
        let wait = tries.withLock { tries -> Int64? in
            let wait = tries.wait(sender, now: time)
            if wait == nil { tries.note(sender, now: time) }
            return wait
        }
        if let wait {
            let seconds = (wait + 999) / 1000
            return .html(pages.signIn("Too many tries. Wait \(seconds) seconds."), status: 429, headers: [("Retry-After", String(seconds))])
        }
        do throws(DeskError) {
            let session = try desk.signIn(name: form["name"] ?? "", password: form["password"] ?? "", now: now)
            return .seeOther(root, headers: [("Set-Cookie", Self.cookie(value: session.token, seconds: OperatorSession.lifetime))])
        } catch {
            guard error == .signInRefused else { return Self.answer(error) }
            report("A password was refused at the page of operators.")
            return .html(pages.signIn(error.message), status: 403)
        }
    }

    private func session(_ request: WebRequest, now: Int64) throws(DeskError) -> OperatorSession? {
        guard let token = request.cookie(Self.cookie) else { return nil }
        return try desk.session(token: token, now: now)
    }

    private func answered(_ body: () throws(DeskError) -> WebAnswer) -> WebAnswer {
        do throws(DeskError) { return try body() } catch { return Self.answer(error) }
    }

    private static func answer(_ error: DeskError) -> WebAnswer {
        .text("This cannot be done now (\(error.code)). Nothing was changed.", status: 503, headers: [("Retry-After", "5")])
    }

    private static func cookie(value: String, seconds: Int64) -> String {
        "\(cookie)=\(value); Path=/; Max-Age=\(seconds); Secure; HttpOnly; SameSite=Strict"
    }

    private static let style = WebBody.shared(SharedBytes(Array(OperatorPage.style.utf8)))
}
