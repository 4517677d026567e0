import Credentials
import Encoding
import InvitationDesk
import Invitations
import WebServer

/// What operators' forms do.
extension OperatorSite {
    func list(_ session: OperatorSession, before: Int64? = nil, error: String? = nil) throws(DeskError) -> String {
        let found = try desk.invitations(InvitationFilter(before: before, limit: Self.pageLength + 1))
        let shown = Array(found.prefix(Self.pageLength))
        return pages.list(shown, next: found.count > shown.count ? shown.last?.id : nil, session, error: error)
    }

    func invite(_ form: WebForm, _ session: OperatorSession, now: Int64) throws(DeskError) -> WebAnswer {
        guard let wanted = Self.wanted(form, site: desk.settings.site, now: now) else {
            return .html(pages.inviteForm(session, error: "Name somebody, a number of days, and a time as the form has it."), status: 400)
        }
        do throws(DeskError) {
            let (code, invitation) = try desk.invite(wanted, by: session.name, now: now)
            return .html(pages.invited(invitation, link: desk.settings.link(code), session))
        } catch {
            guard error.isOfInput else { throw error }
            return .html(pages.inviteForm(session, error: error.message), status: 400)
        }
    }

    func change(_ form: WebForm, _ session: OperatorSession, now: Int64) throws(DeskError) -> WebAnswer {
        guard let change = form["change"].flatMap(OperatorChange.init(rawValue:)), let id = form["id"].flatMap({ Int64($0) }) else {
            return .html(try list(session, error: "Say which invitation, and what is to be done."), status: 400)
        }
        do throws(DeskError) {
            try change.apply(to: id, at: desk, by: session.name, now: now)
            return .seeOther(pages.root)
        } catch {
            guard error.isOfInput else { throw error }
            return .html(try list(session, error: error.message), status: 409)
        }
    }

    private static let day: Int64 = 86_400

    private static func wanted(_ form: WebForm, site: String, now: Int64) -> NewInvitation? {
        guard let subject = form["subject"], let days = form["days"].flatMap({ Int64($0) }), (1...3650).contains(days),
              let openDays = form["open-days"].flatMap({ Int64($0) }), (1...366).contains(openDays) else { return nil }
        var from: Int64?
        if let text = form["from"], !text.isEmpty {
            // As browsers send it, with seconds or without.
            guard let milliseconds = UTCText.read(text + (text.utf8.count == 16 ? ":00Z" : "Z")), milliseconds >= 0 else { return nil }
            from = milliseconds / 1000
        }
        let places = (form["places"] ?? "").split(separator: ",").map { $0.drop { $0 == " " } }.map { place in
            String(place.reversed().drop { $0 == " " }.reversed())
        }
        return NewInvitation(
            subject: subject, audiences: places.filter { !$0.isEmpty }.map { InvitedPlace.audience($0, site: site) }, notBefore: from,
            expires: (from ?? now) + days * day, userVerified: form["user-verified"] == "yes", opensFor: openDays * day, note: form["note"] ?? "")
    }
}

/// Places as people write them: `ZONE` or `ZONE/LANE` of this site, or an audience whole.
public enum InvitedPlace {
    /// The audience of a place.
    public static func audience(_ text: String, site: String) -> String {
        text.hasPrefix(Place.scheme) ? text : "\(Place.scheme)\(site)/\(text)"
    }
}

extension DeskError {
    /// Whether whoever asked can ask better.
    var isOfInput: Bool {
        switch self {
        case .noInvitation, .otherState, .badName, .badAudience, .badCommand, .badTimes, .badNote, .token, .tokenTooLong, .badPassword, .signInRefused,
             .noOperator, .queueFull: true
        case .noDesk, .alreadyThere, .folderExposed, .keyExposed, .key, .settings, .otherSite, .gates, .logBroken, .cryptography, .system, .storage: false
        }
    }
}
