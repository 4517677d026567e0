import Configuration
import Encoding
import SiteRules

extension AuthorityError {
    /// Lines that say more: each mistake of a file, with its place.
    public var details: [String] {
        if case .importRefused(let refused) = self { return refused.details }
        if case .rules(let invalid) = self { return invalid.issues.map(\.description) }
        return []
    }

    private static func meant(_ nearest: String?) -> String { nearest.map { " (did you mean '\($0)'?)" } ?? "" }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .noAuthority(let folder): "\(folder) holds no authority; 'tapstile-authority init' makes one."
        case .alreadyThere(let folder): "\(folder) holds an authority already; its keys are left as they are."
        case .inUse(let folder): "Another tapstile-authority works on \(folder) at the moment."
        case .folderExposed(let path, .owner(let user)):
            "The folder \(path) belongs to another user (number \(user)), who decides what lies there: run this as that user (sudo -u '#\(user)'), or name a folder of your own."
        case .folderExposed(let path, .mode(let mode)):
            "Others than its owner may use the folder \(path) (mode \(String(mode, radix: 8))). Look whether all that lies there is yours, then: chmod 700 \(path). "
                + "If others work on this machine, they may have copied the keys: count them as stolen."
        case .keyExposed(let path, .owner(let user)):
            "\(path) belongs to another user (number \(user)), who may use and replace it: run this as that user, or bring a copy of your own with mode 600."
        case .keyExposed(let path, .mode(let mode)):
            "Others than its owner may use \(path) (mode \(String(mode, radix: 8))): chmod 600 \(path). If others work on this machine, count the key as stolen. "
                + "A file system that keeps no modes, as on most sticks: mount it with umask=077."
        case .badName(let name):
            "The name '\(name)' is not 1 to \(SiteName.longest) bytes of text without '/'."
        case .noGatesSite(let name):
            "No gate can be configured with a site '\(name)': its name has up to 64 letters A–Z and a–z, digits, '.', '_' and '-', and nothing else."
        case .forbiddenName(let name, let flaw): "The name \(PrintedText.line("'\(name)'")) \(flaw.complaint)."
        case .gatesThere(let name): "There are gates named '\(name)' already; their keys are left as they are."
        case .noGates(let name): "There are no gates named '\(name)'; 'tapstile-authority gate' makes them."
        case .rotationUnderWay(let name):
            "The gates '\(name)' have new keys already, and phones are given old and new ones. When every gate uses the new ones: --drop-old."
        case .oldKeysNeeded(let until):
            "Phones that know only the old keys hold tokens until \(UTCText.make(seconds: until)); no gate can do without the old keys before."
        case .sharedIssuer(let name): "'\(name)' issues tokens; credentials of gates need an issuer of another name."
        case .issuersChanging: "There is a new token issuer already, and gates are given both. When nobody needs the old one: issuer --drop-old."
        case .noNewIssuer: "There is no new token issuer; 'tapstile-authority issuer --rotate' makes one."
        case .issuerUnpublished(let name): "Gates were not given the issuer '\(name)' yet, and would refuse its tokens: publish first."
        case .issuerUnused(let name): "The issuer '\(name)' does not sign yet: issuer --use."
        case .oldIssuerNeeded(let until):
            "Phones hold tokens of the old issuer until \(UTCText.make(seconds: until)); no gate can do without it before."
        case .issuerThere(let name): "There is or was a token issuer '\(name)'; a new key has a new name."
        case .issuerAlike(let name, let other): "'\(name)' looks like the token issuer '\(other)', and would be taken for it: give it another name."
        case .noIssuer(let name, let nearest): "Gates are given no token issuer '\(name)' from here\(Self.meant(nearest))."
        case .beyondCeiling(let issuer, let excess): "The rules' [[issuer]] '\(issuer)' does not allow it, and gates would refuse the token: \(excess.words)."
        case .issuerIsOurs(let name): "'\(name)' signs here: issuer --off stops its tokens, --rotate and --emergency replace it."
        case .issuerNotOff(let name, let byRules):
            byRules ? "'\(name)' is off by the file of rules: take 'off' or the [[revocation]] out of it." : "'\(name)' is not switched off."
        case .keyOfTwoRoles(let path): "\(path) holds a key that this authority uses for something else; a key has one role."
        case .notAPersons(let thumbprint):
            "The key \(Hex.encode(thumbprint)) is that of a gate, an issuer or the site; nobody is let in with it."
        case .aPersons(let thumbprint): "The key \(Hex.encode(thumbprint)) is that of a person's phone; it makes no gate."
        case .gateToken(let error): error.message
        case .phoneKey(let path, let error): path.map { "\($0): \(error.message)" } ?? error.message
        case .otherKeyIdentifier: "The key brings a kid of its own, and it is not the one that was given."
        case .keyFile(let path, let error): "\(path): \(error.message)"
        case .wrongRole(let path, let found, let wanted):
            "\(path) is a key of the role '\(found.rawValue)', not '\(wanted.rawValue)'."
        case .wrongCurve: "Phones prove themselves with keys on P-256; this one is on another curve."
        case .otherUse: "A key signs or agrees, never both; this one is known for the other use."
        case .keyWellKnown(let thumbprint):
            "The key \(Hex.encode(thumbprint)) is one of examples, whose private half everybody has; the phone needs one that it made itself."
        case .keyIsPrivate(let path):
            "\(path) is the PRIVATE half of a key. It was not used or kept; bring the public one, and count the key as stolen if others could read the file."
        case .keyRevoked(let thumbprint): "The key \(Hex.encode(thumbprint)) was revoked; the phone needs a new one."
        case .subjectRevoked(let subject): "Everything of '\(subject)' was revoked, so this would open nothing."
        case .holderTakenBack(let subject, let isBanned):
            "It is that of '\(subject)', who is \(isBanned ? "banned" : "suspended"), and would count again under another name. If that is meant: "
                + "\(isBanned ? "unban" : "resume") --subject '\(subject)' first."
        case .notSuspended(let subject, let nearest): "'\(subject)' is not suspended\(Self.meant(nearest))."
        case .notBanned(let subject, let byRules, let nearest):
            byRules ? "'\(subject)' is banned by the file of rules: take the [[revocation]] out of it." : "'\(subject)' is not banned\(Self.meant(nearest))."
        case .unknown(let what, let nearest):
            "Nobody here has \(what)\(Self.meant(nearest)), so nothing was changed. If it is right all the same: --anyway."
        case .nobody(let subject, let nearest): "Nobody here is called '\(subject)'\(Self.meant(nearest))."
        case .noPhone(let subject): "'\(subject)' has no key and no token here, so there is nothing to end."
        case .otherSubject(let subject): "It is that of '\(subject)'; nobody's is removed by mistake."
        case .importRefused(let refused): refused.message
        case .badSubject: "A subject has 1 to 256 bytes of text."
        case .badAudience(let text):
            "'\(text)' is no audience: write tapstile:SITE, tapstile:SITE/ZONE or tapstile:SITE/ZONE/LANE."
        case .rightsTooLong: "Places and commands of one key or card have \(Rights.longest) bytes together at most."
        case .tooManyGroups(let subject):
            "'\(subject)' would be in more than \(Membership.mostOfOne) groups: a gate looks at so many, and lets nobody pass who is in more."
        case .tooMuchLost(let loss):
            "Of \(loss.total) keys, cards and memberships \(loss.count) would go or give less: the list may have been exported empty, or of another house. Nothing was "
                + "changed. If it is meant: --anyway."
        case .cardNumber(let flaw): flaw.message
        case .cardCommand: "A UID-only card runs 'tokn' and nothing else: anybody can copy it."
        case .cardUnknown: "No UID-only card of this number is on the list."
        case .badCommand(let text): "'\(text)' is no command: 1 to 32 bytes of text without spaces."
        case .badKeyIdentifier: "A key identifier has 1 to 64 bytes."
        case .badTimes: "It would end before it begins."
        case .timesTooLate: "It would begin or end after the year 9999."
        case .listEntry(let message): message
        case .listedTwice(let line): "Line \(line) has the same key."
        case .token(let error): error.message
        case .credential(let error): error.message
        case .line(let number, _, let message): "Line \(number): \(message) No key of the list was enrolled."
        case .notAGateList(let path): "\(path) is not a file by which phones know gates (gates.phone)."
        case .notAStatus(let path): "\(path) is not what 'tapstile status --json' prints."
        case .journal(let path, let error): "\(path): \(error.message)"
        case .recordNotCollected(let path, let sequence): "\(path) has no record \(sequence)."
        case .checkpoint(let path, let error): "\(path): \(error.message)"
        case .evidence(let error): error.message
        case .rules(let error): "\(error.message) What was kept before stays."
        case .noRules: "No rules were taken yet; 'tapstile-authority rules FILE' does that."
        case .repository(let error): error.message
        case .publication(let error): error.message
        case .cryptography(let error): error.message
        case .keptFile(let path): "\(path) is a key, a database or a file that an authority lives on: nothing is written over it. Name another place."
        case .system(let error): error.message
        case .storage(let error): error.message
        }
    }
}

/// The rule for names of sites, issuers and groups of gates.
enum SiteName {
    /// In bytes. The site's name travels in the credential of its gates, which some phones bound.
    static let longest = 64

    /// The name as it is kept and published: in the composed form (NFC).
    /// - Throws: `badName`, `forbiddenName`.
    static func checked(_ text: String) throws(AuthorityError) -> String {
        let name = text.composed
        guard (1...longest).contains(name.utf8.count), name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")) else { throw .badName(name) }
        if let flaw = NameRule.flaw(in: name) { throw .forbiddenName(name, flaw) }
        return name
    }

    /// The same for the site itself, which is a setting of each gate (`site.id`).
    /// - Throws: `noGatesSite` too.
    static func ofSite(_ text: String) throws(AuthorityError) -> String {
        let name = try checked(text)
        guard TextRule.identifier(name, maximum: longest) == nil else { throw .noGatesSite(name) }
        return name
    }
}
