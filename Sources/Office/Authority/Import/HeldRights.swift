import Credentials
import Encoding
import SiteData

/// Who may do what with one key or card, to be compared with what it was.
struct HeldRights {
    let subject: String
    /// The key or card, in words.
    let holding: String
    let rights: Rights
    var userVerification = false

    init(_ key: EnrolledKey) {
        (subject, rights, userVerification) = (key.subject, key.rights, key.userVerification)
        holding = "key \(Hex.encode(key.key.thumbprint.prefix(8)))"
    }

    init(_ card: UIDOnlyCard) {
        (subject, rights) = (card.subject, card.rights)
        holding = "card \(Hex.encode(card.number.bytes))"
    }

    /// What this one has more than the other; nil if nothing. A key that comes to somebody else is all theirs.
    func beyond(_ other: HeldRights?) -> RightsChange? {
        guard let other, other.subject.utf8.elementsEqual(subject.utf8) else { return RightsChange(subject: subject, holding: holding, what: all) }
        let more = places(beyond: other.rights.audiences) + commands(beyond: other.rights.scope) + times(beyond: other.rights)
            + (userVerification && !other.userVerification ? ["user-verified"] : [])
        return more.isEmpty ? nil : RightsChange(subject: subject, holding: holding, what: more)
    }

    private var all: [String] {
        let times = [rights.notBefore.map(Self.from), rights.expiresAt.map(Self.until) ?? Self.noEnd].compactMap(\.self)
        return [Self.words(rights.audiences)] + rights.scope + times + (userVerification ? ["user-verified"] : [])
    }

    private func places(beyond others: [String]) -> [String] {
        guard !others.isEmpty else { return [] }
        let more = rights.audiences.filter { audience in !others.contains { Place.covers($0, audience) } }
        return more.isEmpty && !rights.audiences.isEmpty ? [] : ["\(Self.words(more)), \(isExchange(others) ? "instead of" : "not only") \(Self.words(others))"]
    }

    /// Whether some of the others are lost.
    private func isExchange(_ others: [String]) -> Bool {
        !rights.audiences.isEmpty && others.contains { other in !rights.audiences.contains { Place.covers($0, other) } }
    }

    private func commands(beyond others: [String]) -> [String] {
        rights.scope.filter { command in !others.contains { $0.utf8.elementsEqual(command.utf8) } }
    }

    private func times(beyond other: Rights) -> [String] {
        var more: [String] = []
        if let begins = other.notBefore, rights.notBefore ?? 0 < begins {
            more.append("\(rights.notBefore.map(Self.from) ?? "at once"), not only \(Self.from(begins))")
        }
        if let ends = other.expiresAt, rights.expiresAt ?? .max > ends {
            more.append("\(rights.expiresAt.map(Self.until) ?? Self.noEnd), not only \(Self.until(ends))")
        }
        return more
    }

    // Words ------------------------------------------------------------------------------------------

    private static let noEnd = "without an end"
    private static func words(_ places: [String]) -> String { places.isEmpty ? "the whole site" : places.joined(separator: ", ") }
    private static func from(_ seconds: Int64) -> String { "from \(UTCText.make(seconds: seconds))" }
    private static func until(_ seconds: Int64) -> String { "until \(UTCText.make(seconds: seconds))" }
}
