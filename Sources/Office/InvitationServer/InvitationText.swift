import Encoding

/// What an operator sends to whoever is invited, in English and in German.
public struct InvitationText: Sendable {
    private let site: String
    private let link: String
    private let opensUntil: Int64

    /// - Parameter opensUntil: until when the link can be used, UNIX seconds.
    public init(site: String, link: String, opensUntil: Int64) {
        (self.site, self.link, self.opensUntil) = (site, link, opensUntil)
    }

    /// The text, without names of people: it may go by a way that others read.
    public var lines: [String] {
        let until = UTCText.make(seconds: opensUntil)
        return [
            "You are invited to \(site). Open this link on your phone, in Chrome, and press the button there:", "", link, "",
            "It works once, until \(until) (UTC). At the gate open the same page again; no app is needed. Do not pass the link on.", "",
            "—", "",
            "Sie sind eingeladen zu \(site). Öffnen Sie diesen Link auf Ihrem Telefon, in Chrome, und drücken Sie dort den Knopf:", "", link, "",
            "Er gilt einmal, bis \(until) (UTC). An der Schranke öffnen Sie dieselbe Seite wieder; eine App ist nicht nötig. Geben Sie den Link nicht weiter."
        ]
    }
}
