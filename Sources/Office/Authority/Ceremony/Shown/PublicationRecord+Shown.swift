import Credentials
import Cryptography
import Encoding
import SiteData

extension PublicationRecord {
    /// All that a record of the site's part says, in words: two that differ in anything have other lines. Nil for what has no words, which nobody signs.
    var shownLines: [String]? {
        switch self {
        case .issuer(let issuer):
            ["token issuer \(ShownText.name(issuer.name)) with the key \(Self.shown(issuer.key)): "
                + (issuer.ceiling.map { "at most \($0.shownMessages)" } ?? "NO ceiling, all that its tokens say counts")]
        case .gateCredential(let raw): Self.line(gate: raw).map { [$0] }
        case .revocation(let revocation): [Self.line(revocation)]
        case .rule(let rule): rule.shownLines
        case .ceiling(let ceiling): [ceiling.shownLine]
        case .message(let word): ["word \(ShownText.name(word.name)) (\(ShownText.name(word.language))): \(ShownText.name(word.text))"]
        // People, who do not belong there.
        case .enrolled, .uidOnlyCard: nil
        }
    }

    private static func shown(_ key: PublicKey) -> String { Hex.encode(key.thumbprint) }

    /// What phones get is kept byte for byte: nothing may stand in it besides what is shown.
    private static func line(gate raw: [UInt8]) -> String? {
        switch GateListEntry(parsing: raw) {
        case .issuer(let issuer)?:
            guard GateListEntry.issuer(issuer).encoded == raw else { return nil }
            return "gate issuer \(ShownText.name(issuer.name)) of the site \(ShownText.name(issuer.site)) with the key \(shown(issuer.key))"
        case .credential(let credential)?:
            let key = credential.key
            guard ConfirmedKeyCredential(key: key, subject: credential.subject).raw == raw else { return nil }
            let site = credential.subject.map { " of the site \(ShownText.name($0))" } ?? " of no site"
            let use = key.use.map { ", \($0 == .sign ? "to sign" : "to agree")" } ?? ""
            return "gate key \(shown(key.key))\(site), called \(Hex.encode(key.keyIdentifier ?? []))\(use)"
        case nil: return nil
        }
    }

    private static func line(_ revocation: Revocation) -> String {
        switch revocation {
        case .token(let identifier): "revoked for ever: the token \(Hex.encode(identifier.bytes))"
        case .issued(let issuer, let number): "revoked for ever: the token of the issuer \(ShownText.name(issuer)) with the number \(Hex.encode(number))"
        case .subject(let subject): "revoked for ever: all that \(ShownText.name(subject)) has"
        case .key(let thumbprint): "revoked for ever: the key \(Hex.encode(thumbprint))"
        case .suspended(let subject): "suspended: all that \(ShownText.name(subject)) has"
        case .issuer(let issuer): "revoked for ever: every token of the issuer \(ShownText.name(issuer))"
        }
    }
}

extension IssuerCeiling {
    /// The ceiling in words.
    public var shownMessages: String {
        let given = ShownText.names(commands, one: "command", several: "commands", none: "no command")
        let places = ShownText.names(audiences, one: "place", several: "places", none: "the whole site")
        let times = schedule.map { "during the schedule \(ShownText.name($0))" } ?? "at ALL times"
        let end = until.map { "until \(UTCText.make(seconds: $0))" } ?? "without end"
        return "\(given); \(places); \(times); tokens of up to \(ShownText.span(seconds: longest)); user verification \(ShownText.yes(userVerification)); "
            + "\(end)\(isOff ? "; OFF: no token counts" : "")"
    }
}

extension Ceiling {
    /// The ceiling in words.
    var shownLine: String {
        let given = ShownText.names(commands, one: "command", several: "commands", none: "no command")
        let places = ShownText.names(audiences, one: "place", several: "places", none: "the whole site")
        let groups = groups.map { ShownText.names($0, one: "group", several: "groups", none: "no group") } ?? "all groups"
        let end = longest.map { "for \(ShownText.span(seconds: $0))" } ?? "without end"
        return "people may be given at most: \(given); \(places); \(groups); \(end); UID-only cards \(ShownText.yes(uidOnlyCards)); "
            + "user verification \(ShownText.yes(userVerification))"
    }
}
