/// The catalogue of reasons (requirement V2): why a presentation was granted or refused. The raw value
/// is the stable code in journal, events and logs; `number` travels to phones. Codes and numbers are
/// never used again for something else, and phones tolerate numbers they do not know.
public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The relay was told to open.
    case granted

    // The credential, in the order of `Verification`.
    /// The bytes are no credential of this profile.
    case malformed
    /// The gate has no site data.
    case noSiteData = "no-trust-data"
    /// The issuer of the token is not trusted by the site.
    case unknownIssuer = "unknown-issuer"
    /// The issuer did not sign this token.
    case badSignature = "bad-signature"
    /// The gate does not know the time well enough to believe a token.
    case clockUntrusted = "clock-untrusted"
    /// The site data are too old to believe a token.
    case siteDataStale = "trust-data-stale"
    /// The credential begins to be valid later.
    case notYetValid = "not-yet-valid"
    /// The credential is valid no more.
    case expired
    /// The credential is for another place.
    case wrongAudience = "wrong-audience"
    /// The credential does not allow the command.
    case scopeLacksCommand = "scope-lacks-command"
    /// The token says more than the site lets its issuer say.
    case beyondCeiling = "beyond-ceiling"
    /// The credential, its key or its holder was revoked.
    case revoked
    /// Everybody has the private half of the key: it is one of examples.
    case keyWellKnown = "key-well-known"
    /// The key is not enrolled, or is not the key of the token.
    case unknownKey = "unknown-key"
    /// The key is for the other purpose: it signs where it should agree, or the reverse.
    case wrongKeyUse = "wrong-key-use"
    /// The key is one of the gate's own: gates open for persons, never for gates.
    case wrongRole = "wrong-role"
    /// The phone did not prove that it has the key.
    case badProof = "bad-proof"

    // UID-only cards.
    /// The lane takes no UID-only cards (requirement V8).
    case uidOnlyCardsOff = "plain-cards-off"

    // The rules of the site.
    /// No rule of the site lets this person pass here at this time (requirement V4).
    case outsideSchedule = "outside-schedule"

    // The lane.
    /// The delay after a success is not over (requirement T7).
    case cooldownSuccess = "cooldown-success"
    /// The delay after a failure is not over (requirement T8).
    case cooldownFailure = "cooldown-failure"
    /// The lane demands a second factor that the key does not prove (requirement V6).
    case secondFactor = "second-factor"
    /// The lane serves this phone over NFC (requirement T2).
    case useNFC = "use-nfc"
    /// Over BLE the lane wants the app in front (`ble-require`).
    case appInBackground = "app-in-background"
    /// Over BLE the lane wants the phone unlocked (`ble-require`).
    case phoneLocked = "phone-locked"
    /// The lane does not run this command, or not in this way.
    case commandNotAllowed = "command-not-allowed"
    /// The lane is locked down or closed.
    case laneClosed = "lane-closed"
    /// By what the gate knows this person is already there (requirement V5).
    case antiPassback = "anti-passback"
    /// As many people as may be there are.
    case zoneFull = "zone-full"
    /// The lane is serving somebody else.
    case busy
    /// The lane has a fault.
    case laneFault = "lane-fault"
    /// The reader has a fault.
    case readerFault = "reader-fault"
    /// The record could not be made durable in time.
    case auditUnavailable = "audit-unavailable"

    // The conversation.
    /// The phone did not answer in time.
    case timeout
    /// The phone went away.
    case cardRemoved = "card-removed"
    /// The phone is on another carrier than it says, or than the lane allows.
    case wrongCarrier = "wrong-carrier"
    /// The phone saw another lane than the one it talks to.
    case wrongLane = "wrong-lane"
    /// The two sides have no protocol version, method or suite in common.
    case protocolVersion = "protocol-version"
    /// The phone broke the rules of the protocol.
    case protocolError = "protocol-error"
    /// The phone has no application for this gate.
    case noApplication = "no-application"
    /// The phone stopped: it does not know this gate, or something differs from what it sees.
    case phoneDeclined = "phone-declined"
    /// The gate stopped before the result was known.
    case outcomeUnknown = "outcome-unknown"
    /// The gate's own fault.
    case internalError = "internal-error"
}

extension Reason {
    /// One English sentence for people.
    public var sentence: String {
        switch self {
        case .granted: "The gate opens."
        case .malformed: "The credential cannot be read."
        case .noSiteData: "The gate has no site data."
        case .unknownIssuer: "The issuer of the token is not known here."
        case .badSignature: "The token was not signed by its issuer."
        case .clockUntrusted: "The gate does not know the time."
        case .siteDataStale: "The site data of the gate are too old."
        case .notYetValid: "The credential is not valid yet."
        case .expired: "The credential has expired."
        case .wrongAudience: "The credential is for another place."
        case .scopeLacksCommand: "The credential does not allow this command."
        case .beyondCeiling: "The issuer of the token may not allow that here and now."
        case .revoked: "The credential was revoked."
        case .keyWellKnown: "Everybody has this key: it is one of examples."
        case .unknownKey: "The key is not known here."
        case .wrongKeyUse: "The key is meant for another purpose."
        case .wrongRole: "The key is that of a gate."
        case .badProof: "The phone did not prove that it has the key."
        case .uidOnlyCardsOff: "This lane takes no UID-only cards."
        case .outsideSchedule: "The credential does not open this lane at this time."
        case .cooldownSuccess: "The gate has just opened; try again in a moment."
        case .cooldownFailure: "The gate has just refused; try again in a moment."
        case .secondFactor: "Unlock the phone and try again."
        case .useNFC: "Hold the phone to the reader."
        case .appInBackground: "Open the app and try again."
        case .phoneLocked: "The phone is locked; unlock it and try again."
        case .commandNotAllowed: "This lane does not run this command."
        case .laneClosed: "This lane is closed."
        case .antiPassback: "By its records, this person is already inside."
        case .zoneFull: "There is no room for more people."
        case .busy: "The gate is serving somebody else."
        case .laneFault: "This lane is out of order."
        case .readerFault: "This reader is out of order."
        case .auditUnavailable: "The gate cannot keep its records."
        case .timeout: "The phone did not answer in time."
        case .cardRemoved: "The phone was taken away too early."
        case .wrongCarrier: "The phone uses a way that this lane does not allow."
        case .wrongLane: "The phone speaks to another lane than it sees."
        case .protocolVersion: "Phone and gate do not speak the same version."
        case .protocolError: "The phone sent something unexpected."
        case .noApplication: "The phone has no application for this gate."
        case .phoneDeclined: "The phone does not accept this gate."
        case .outcomeUnknown: "The gate stopped before the result was known."
        case .internalError: "The gate has an internal fault."
        }
    }
}
