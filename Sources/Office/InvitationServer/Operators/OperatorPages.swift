import Encoding
import InvitationDesk
import Invitations
import QRCode

/// The pages that operators see.
struct OperatorPages {
    let root: String
    let site: String

    func signIn(_ error: String? = nil) -> String {
        OperatorPage(root: root, title: "Invitations of \(site)").text("""
            \(Self.error(error))<form method="post" action="\(HTMLText.escaped(root))sign-in">
            <label>Name <input name="name" autocomplete="username" required maxlength="64"></label>
            <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
            <button>Sign in</button></form>
            """)
    }

    /// - Parameter next: the number before which the next part begins; nil: there is none.
    func list(_ invitations: [Invitation], next: Int64?, _ session: OperatorSession, error: String? = nil) -> String {
        let rows = invitations.map { row($0, session) }.joined(separator: "\n")
        let more = next.map { "<p><a href=\"\(HTMLText.escaped(root))?before=\($0)\">Older ones</a></p>" } ?? ""
        return page("Invitations of \(site)", session).text("""
            \(Self.error(error))<table><thead><tr><th>No.</th><th>For</th><th>Where</th><th>When</th><th>State</th><th></th></tr></thead><tbody>
            \(rows)
            </tbody></table>\(invitations.isEmpty ? "<p>There are none.</p>" : "")\(more)
            """)
    }

    func inviteForm(_ session: OperatorSession, error: String? = nil) -> String {
        page("Invite", session).text("""
            \(Self.error(error))<form method="post" action="\(HTMLText.escaped(root))invite">\(OperatorPage.hidden(session.formToken))
            <label>For whom <input name="subject" required maxlength="256"></label>
            <label>Places: zones or ZONE/LANE, with commas between them; empty: the whole site <input name="places" maxlength="2000"></label>
            <label>From, UTC; empty: at once <input name="from" type="datetime-local"></label>
            <label>For how many days <input name="days" type="number" min="1" max="3650" value="1" required></label>
            <label>The link can be used within how many days <input name="open-days" type="number" min="1" max="366" value="7" required></label>
            <label><input name="user-verified" type="checkbox" value="yes"> I have seen that the phone asks for a finger, a face or a code</label>
            <label>Note, for operators <input name="note" maxlength="500"></label>
            <button>Invite</button></form>
            """)
    }

    /// The only page that ever shows a link.
    func invited(_ invitation: Invitation, link: String, _ session: OperatorSession) -> String {
        let text = InvitationText(site: site, link: link, opensUntil: invitation.opensUntil)
        return page("Invitation \(invitation.id)", session).text("""
            <p>For \(HTMLText.name(invitation.wanted.subject)). This link is shown once. Whoever accepts it first has the access.</p>
            <p class="link">\(HTMLText.escaped(link))</p>
            <p>\(QRSymbol(link)?.svg ?? "")</p>
            <h2>For a mail</h2><pre>\(text.lines.map(HTMLText.escaped).joined(separator: "\n"))</pre>
            """)
    }

    func log(_ entries: [DeskLogEntry], _ session: OperatorSession) -> String {
        let rows = entries.map { entry in
            "<tr><td>\(entry.id)</td><td>\(UTCText.make(seconds: entry.at))</td><td>\(HTMLText.name(entry.who))</td><td>\(entry.action.rawValue)</td>"
                + "<td>\(entry.invitation.map(String.init) ?? "")</td><td>\(HTMLText.name(entry.detail))</td></tr>"
        }
        return page("Log", session).text("""
            <table><thead><tr><th>No.</th><th>When</th><th>Who</th><th>What</th><th>Invitation</th><th></th></tr></thead><tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table>
            """)
    }

    private func page(_ title: String, _ session: OperatorSession) -> OperatorPage {
        OperatorPage(root: root, title: title, session: (session.name, session.formToken))
    }

    private func row(_ invitation: Invitation, _ session: OperatorSession) -> String {
        let wanted = invitation.wanted
        let places = wanted.audiences.isEmpty ? "the whole site" : wanted.audiences.map(HTMLText.name).joined(separator: "<br>")
        let from = wanted.notBefore.map { "from \(UTCText.make(seconds: $0)) " } ?? ""
        let opens = invitation.state == .open ? "<br>link until \(UTCText.make(seconds: invitation.opensUntil))" : ""
        let verified = (invitation.state.use?.userVerified ?? wanted.userVerified) ? "<br>user verified" : ""
        let buttons = OperatorChange.possible(in: invitation.state).map { button($0, invitation.id, session) }.joined()
        return "<tr><td>\(invitation.id)</td><td>\(HTMLText.name(wanted.subject))\(wanted.note.isEmpty ? "" : "<br><small>\(HTMLText.name(wanted.note))</small>")</td>"
            + "<td>\(places)</td><td>\(from)until \(UTCText.make(seconds: wanted.expires))\(opens)</td><td>\(invitation.state.name.rawValue)\(verified)</td>"
            + "<td>\(buttons)</td></tr>"
    }

    private func button(_ change: OperatorChange, _ id: Int64, _ session: OperatorSession) -> String {
        let form = "<form method=\"post\" action=\"\(HTMLText.escaped(root))change\">\(OperatorPage.hidden(session.formToken))"
            + "<input type=\"hidden\" name=\"id\" value=\"\(id)\"><button name=\"change\" value=\"\(change.rawValue)\">\(change.label)</button></form>"
        // What cannot be undone takes a second press.
        return change.isForGood ? "<details><summary>\(change.summary)</summary>\(form)</details>" : form
    }

    private static func error(_ text: String?) -> String { text.map { "<p class=\"error\">\(HTMLText.escaped($0))</p>\n" } ?? "" }
}

/// What an operator does with an invitation.
enum OperatorChange: String, CaseIterable {
    case withdraw, suspend, resume, revoke

    static func possible(in state: InvitationState) -> [OperatorChange] {
        switch state {
        case .open: [.withdraw]
        case .redeemed: [.suspend, .revoke]
        case .suspended: [.resume, .revoke]
        case .withdrawn, .revoked: []
        }
    }

    var isForGood: Bool { self == .withdraw || self == .revoke }

    var summary: String {
        switch self {
        case .withdraw: "Withdraw"
        case .suspend: "Suspend"
        case .resume: "Resume"
        case .revoke: "Revoke"
        }
    }

    var label: String { isForGood ? "\(summary) for good" : summary }

    /// Does it.
    func apply(to id: Int64, at desk: InvitationDesk, by who: String, now: Int64) throws(DeskError) {
        switch self {
        case .withdraw: try desk.withdraw(id, by: who, now: now)
        case .suspend: try desk.suspend(id, by: who, now: now)
        case .resume: try desk.resume(id, by: who, now: now)
        case .revoke: try desk.revoke(id, by: who, now: now)
        }
    }
}
