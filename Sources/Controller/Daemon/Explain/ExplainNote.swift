import Encoding

/// What whoever asks about a person should know besides: what this gate cannot know, and what the answer leaves out.
enum ExplainNote: Equatable {
    /// Nothing here names that person.
    case personUnknown(String, nearest: String?, isKeptByZones: Bool)
    /// Nothing here is named by that identifier.
    case keyUnknown
    /// Whether somebody holds a token that this gate has not seen.
    case tokensUnseen
    /// Only people of the gate's own zones are here.
    case otherZones([String])
    /// There are no site data.
    case noData(code: String, String)
    /// Another time than now.
    case otherTime
    /// There are more credentials than one answer holds.
    case more
    /// A revocation of what was asked for, which is not enrolled here.
    case revokedUnseen(String)

    var code: String {
        switch self {
        case .personUnknown: "person-unknown"
        case .keyUnknown: "key-unknown"
        case .tokensUnseen: "tokens-unseen"
        case .otherZones: "other-zones"
        case .noData(let code, _): code
        case .otherTime: "other-time"
        case .more: "more-credentials"
        case .revokedUnseen: "revoked-unseen"
        }
    }

    /// A sentence for people.
    var message: String {
        switch self {
        case .personUnknown(let subject, let nearest, let isKeptByZones):
            "Nothing in the site data of this gate names \(subject)."
                + (nearest.map { " Did you mean \($0)?" } ?? "") + (isKeptByZones ? " People of other zones are not kept here." : "")
        case .keyUnknown: "No key of this name is enrolled here, and no token of this name was shown here since the gate started or took new site data."
        case .tokensUnseen:
            "Who holds a token is known to this gate only while it remembers the token: whether there is another one, for which place and until when, "
                + "the office knows (tapstile-authority list tokens)."
        case .otherZones(let zones): "This gate keeps the people of \(zones.joined(separator: ", ")) only (trust.keep); who is enrolled for other places is unknown here."
        case .noData(_, let message): message
        case .otherTime:
            "Judged with the site data of now. Validity, schedules, plans and the age of the data are those of that time; who is inside, faults, and what operators "
                + "and phones have ordered without an end are as they are now."
        case .more: "There are more credentials than are shown here: ask for one by --key."
        case .revokedUnseen(let what): what
        }
    }

    var json: JSON { ["code": .string(code), "message": .string(message)] }
}
