import Credentials
import Cryptography
import Encoding
import Evidence
import Files
import SiteData
import SiteFile
import Storage
import Threads

/// Why the authority could not do what it was asked. Nothing was changed then, unless a case says so.
public enum AuthorityError: Error, Hashable, Sendable {
    /// The folder holds no authority: `init` was not run there.
    case noAuthority(folder: String)
    /// The folder holds an authority already.
    case alreadyThere(folder: String)
    /// Another program works on the folder.
    case inUse(folder: String)
    /// Others may use the folder of the authority.
    case folderExposed(path: String, Exposure)
    /// Others may use a private key, or change what was noted of it.
    case keyExposed(path: String, Exposure)
    /// A name of a site, issuer or group of gates is empty, too long, or has characters it must not have.
    case badName(String)
    /// No gate can be configured with a site of this name.
    case noGatesSite(String)
    /// A name has something in it that nobody would see, or a loose blank (`NameRule`).
    case forbiddenName(String, NameFlaw)
    /// There is a group of gates of that name.
    case gatesThere(name: String)
    /// There are no gates of that name, or none in use.
    case noGates(name: String)
    /// The gates have new keys already, and phones are still given the old ones.
    case rotationUnderWay(name: String)
    /// Somebody still holds a token from before the new keys, UNIX seconds: gates that have to serve them use the
    /// old ones.
    case oldKeysNeeded(until: Int64)
    /// The issuer of tokens and the issuer of gates would have one name.
    case sharedIssuer(String)
    /// A new token issuer was made already, and the old one is not dropped yet.
    case issuersChanging
    /// There is no issuer that does not sign yet.
    case noNewIssuer
    /// Gates were not given the new issuer yet.
    case issuerUnpublished(String)
    /// The new issuer does not sign yet.
    case issuerUnused(String)
    /// Tokens of the old issuer still open something.
    case oldIssuerNeeded(until: Int64)
    /// There is or was a token issuer of that name.
    case issuerThere(String)
    /// There is or was one whose name is the same but for case, accents, blanks or underscores.
    case issuerAlike(String, other: String)
    /// There is no token issuer of that name that gates are given; the name that was probably meant.
    case noIssuer(String, nearest: String?)
    /// A token would say more than the rules let its issuer say.
    case beyondCeiling(issuer: String, IssuerExcess)
    /// It is the office's own, which is not removed but replaced.
    case issuerIsOurs(String)
    /// It is not switched off, or not by a command but by the file of rules.
    case issuerNotOff(String, byRules: Bool)
    /// The key file holds a key that speaks for something else too.
    case keyOfTwoRoles(path: String)
    /// The key is that of a gate, an issuer or the site; nobody is let in with it.
    case notAPersons(thumbprint: [UInt8])
    /// The key is a person's, and makes no gate.
    case aPersons(thumbprint: [UInt8])
    /// The claims make no credential of a gate that a phone would read.
    case gateToken(GateTokenError)
    /// It is no public key of a phone; nil: not a file.
    case phoneKey(path: String?, PhoneKeyError)
    /// The `kid` of a COSE_Key is another than the one that was asked for.
    case otherKeyIdentifier
    /// The file is no key file.
    case keyFile(path: String, KeyFileError)
    /// The key speaks for something else.
    case wrongRole(path: String, found: KeyRole, wanted: KeyRole)
    /// Phones prove themselves with keys on P-256 only.
    case wrongCurve
    /// The key is known to sign and should now agree, or the reverse.
    case otherUse
    /// Everybody has the private half of the key.
    case keyWellKnown(thumbprint: [UInt8])
    /// The private half of a key was given where the public one is wanted.
    case keyIsPrivate(path: String)
    /// The key was revoked: nothing that names it would open anything.
    case keyRevoked(thumbprint: [UInt8])
    /// The person or account was revoked.
    case subjectRevoked(String)
    /// The key or card is that of somebody else, who is banned or suspended: under another name it would count again.
    case holderTakenBack(String, isBanned: Bool)
    /// The person or account is not suspended; the name of whoever is and was probably meant.
    case notSuspended(String, nearest: String?)
    /// The person or account is not banned, or not by a command but by the file of rules; the name of whoever is and was probably meant.
    case notBanned(String, byRules: Bool, nearest: String? = nil)
    /// Nobody has what was named; the name that was probably meant.
    case unknown(String, nearest: String?)
    /// Nobody has that name; the one that was probably meant.
    case nobody(String, nearest: String?)
    /// Somebody who is known has no key and no token.
    case noPhone(String)
    /// What shall be removed is somebody else's.
    case otherSubject(String)
    /// A list of people has mistakes; nothing of it was taken.
    case importRefused(RefusedImport)
    /// A subject is empty or longer than 256 bytes.
    case badSubject
    /// An audience does not have the form that gates compare.
    case badAudience(String)
    /// Places and commands of one key or card are longer than gates take.
    case rightsTooLong
    /// Somebody would be in more groups than gates look at.
    case tooManyGroups(String)
    /// By a list more would go than usually does.
    case tooMuchLost(ListLoss)
    /// The bytes are no number of a UID-only card.
    case cardNumber(UIDOnlyCardNumberFlaw)
    /// A UID-only card was to have another command than the default one.
    case cardCommand
    /// There is no UID-only card of that number.
    case cardUnknown
    /// A command is empty or has spaces.
    case badCommand(String)
    /// A key identifier is longer than 64 bytes.
    case badKeyIdentifier
    /// It would end before it begins.
    case badTimes
    /// It would begin or end after the year 9999, which nothing can write.
    case timesTooLate
    /// An entry in a list of keys has not the form of one; the text says why.
    case listEntry(String)
    /// An earlier line of a list of keys has the same key.
    case listedTwice(line: Int)
    /// The claims make no token that a gate would read.
    case token(TokenError)
    /// The bytes are no claims set with a key.
    case credential(COSEError)
    /// A line of a list of keys cannot be taken; none of the list was.
    case line(Int, code: String, message: String)
    /// A file that should say by what phones know the gates does not.
    case notAGateList(path: String)
    /// A file is not what `tapstile status --json` prints.
    case notAStatus(path: String)
    /// A copied journal cannot be read, or is broken.
    case journal(path: String, StorageError)
    /// There is no such record among those that were collected.
    case recordNotCollected(path: String, UInt64)
    /// A file is no signed checkpoint.
    case checkpoint(path: String, CheckpointError)
    /// A file is no evidence.
    case evidence(EvidenceFileError)
    /// The site's rules have mistakes; what was kept before stays.
    case rules(InvalidSiteFile)
    /// No rules were taken yet.
    case noRules
    /// The site's repository could not be made, changed or checked.
    case repository(RepositoryError)
    /// The publication could not be made.
    case publication(PublicationError)
    /// libcrypto failed.
    case cryptography(CryptographyError)
    /// A key, a database or a file that an authority lives on would be written over.
    case keptFile(path: String)
    /// A file or folder cannot be used.
    case system(SystemError)
    /// The database of the authority cannot be used.
    case storage(StorageError)

    /// Stable code.
    public var code: String {
        switch self {
        case .noAuthority: "authority-missing"
        case .alreadyThere: "authority-exists"
        case .inUse: "authority-in-use"
        case .folderExposed: "folder-exposed"
        case .keyExposed: "key-exposed"
        case .badName, .noGatesSite: "bad-name"
        case .forbiddenName: "name-forbidden"
        case .gatesThere: "gates-exist"
        case .noGates: "gates-missing"
        case .rotationUnderWay: "rotation-under-way"
        case .oldKeysNeeded: "old-keys-needed"
        case .sharedIssuer: "issuer-name-shared"
        case .issuersChanging: "issuer-rotating"
        case .noNewIssuer: "issuer-unchanged"
        case .issuerUnpublished: "issuer-unpublished"
        case .issuerUnused: "issuer-unused"
        case .oldIssuerNeeded: "old-issuer-needed"
        case .issuerThere: "issuer-exists"
        case .issuerAlike: "issuer-alike"
        case .noIssuer: "issuer-missing"
        case .beyondCeiling: "beyond-ceiling"
        case .issuerIsOurs: "issuer-is-ours"
        case .issuerNotOff: "issuer-not-off"
        case .keyOfTwoRoles: "key-of-two-roles"
        case .notAPersons: "key-not-a-persons"
        case .aPersons: "key-a-persons"
        case .gateToken(let error): error.code
        case .phoneKey(_, let error): error.code
        case .otherKeyIdentifier: "key-identifier-differs"
        case .keyFile(_, let error): error.code
        case .wrongRole: "key-wrong-role"
        case .wrongCurve: "key-wrong-curve"
        case .otherUse: "key-other-use"
        case .keyWellKnown: "key-well-known"
        case .keyIsPrivate: "key-is-private"
        case .keyRevoked: "key-revoked"
        case .subjectRevoked: "subject-revoked"
        case .holderTakenBack: "holder-taken-back"
        case .notSuspended: "not-suspended"
        case .notBanned: "not-banned"
        case .unknown, .nobody, .noPhone: "nobody-has-it"
        case .otherSubject: "other-subject"
        case .importRefused: "import-refused"
        case .tooMuchLost: "list-takes-much"
        case .badSubject: "bad-subject"
        case .badAudience: "bad-audience"
        case .rightsTooLong: "rights-too-long"
        case .tooManyGroups: "too-many-groups"
        case .cardNumber: "bad-uid"
        case .cardCommand: "card-command"
        case .cardUnknown: "card-unknown"
        case .badCommand: "bad-command"
        case .badKeyIdentifier: "bad-key-identifier"
        case .badTimes: "times-out-of-order"
        case .timesTooLate: "times-too-late"
        case .listEntry: "list-entry-malformed"
        case .listedTwice: "csv-twice"
        case .token(let error): error.code
        case .credential(let error): error.code
        case .line: "list-line-refused"
        case .notAGateList: "gate-list-malformed"
        case .notAStatus: "status-malformed"
        case .journal(_, let error): error.kind == .recordDamaged ? "journal-broken" : error.code
        case .recordNotCollected: "record-missing"
        case .checkpoint(_, let error): error.code
        case .evidence(let error): error.code
        case .rules(let error): error.code
        case .noRules: "rules-missing"
        case .repository(let error): error.code
        case .publication(let error): error.code
        case .cryptography(let error): error.code
        case .keptFile: "file-kept"
        case .system(let error): error.code
        case .storage(let error): error.code
        }
    }
}
