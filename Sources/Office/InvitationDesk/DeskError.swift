import Configuration
import Credentials
import Cryptography
import Encoding
import Files
import Invitations
import Storage
import Threads

/// Why the server of invitations could not do what an operator asked. Nothing was changed then, but where `queueFull` says so.
public enum DeskError: Error, Hashable, Sendable {
    /// The folder holds no server of invitations.
    case noDesk(folder: String)
    /// The folder holds one already.
    case alreadyThere(folder: String)
    /// Others may look into the folder or change it.
    case folderExposed(path: String, Exposure)
    /// Others may use the key.
    case keyExposed(path: String, Exposure)
    /// The key file is none, or of another role.
    case key(path: String, KeyFileError)
    /// The settings cannot be used.
    case settings(InvalidDeskSettings)
    /// The settings name another site or issuer than the database.
    case otherSite(settings: String, database: String)
    /// `gates.phone` is not what phones read.
    case gates(path: String)
    /// There is no invitation of that number.
    case noInvitation(Int64)
    /// The invitation is in another state than this can be done in.
    case otherState(Int64, InvitationState.Name)
    /// A name is empty, too long, or has something in it that nobody would see.
    case badName(String)
    /// A place is none of this site.
    case badAudience(String)
    /// A command that no phone can name.
    case badCommand(String)
    /// It would end before it begins, or is over.
    case badTimes
    /// A note is too long, or has something in it that nobody would see.
    case badNote
    /// Nobody could be issued a token with these claims.
    case token(TokenError)
    /// The token would not fit into a tap.
    case tokenTooLong(bytes: Int)
    /// More tokens are revoked than the office takes from a queue. What was asked was done, here.
    case queueFull
    /// A password is too short or too long.
    case badPassword
    /// There is no such operator, or the password is another; nobody learns which.
    case signInRefused
    /// There is no operator of that name.
    case noOperator(String)
    /// The log does not say what it said when it was written, from this entry on.
    case logBroken(entry: Int64)
    /// libcrypto failed.
    case cryptography(CryptographyError)
    /// A file or folder cannot be used.
    case system(SystemError)
    /// The database cannot be used.
    case storage(StorageError)

    /// The stable code.
    public var code: String {
        switch self {
        case .noDesk: "invitations-missing"
        case .alreadyThere: "invitations-exist"
        case .folderExposed: "folder-exposed"
        case .keyExposed: "key-exposed"
        case .key(_, let error): error.code
        case .settings: "settings-invalid"
        case .otherSite: "invitations-of-other-site"
        case .gates: "gate-list-malformed"
        case .noInvitation: "invitation-unknown"
        case .otherState: "invitation-state"
        case .badName: "bad-name"
        case .badAudience: "bad-audience"
        case .badCommand: "bad-command"
        case .badTimes: "times-out-of-order"
        case .badNote: "bad-note"
        case .token(let error): error.code
        case .tokenTooLong: "token-too-long-for-tap"
        case .queueFull: "queue-full"
        case .badPassword: "bad-password"
        case .signInRefused: "sign-in-refused"
        case .noOperator: "operator-unknown"
        case .logBroken: "invitation-log-broken"
        case .cryptography(let error): error.code
        case .system(let error): error.code
        case .storage(let error): error.code
        }
    }

    /// Sentences for people.
    public var message: String {
        switch self {
        case .noDesk(let folder): "\(folder) holds no server of invitations: make one with `tapstile-authority serve init`."
        case .alreadyThere(let folder): "\(folder) holds a server of invitations already; nothing was changed."
        case .folderExposed(let path, let exposure): "Others may look into \(path) or change it (\(Self.words(exposure))): sudo chmod 710 \(path)"
        case .keyExposed(let path, let exposure): "Others may use the key in \(path) (\(Self.words(exposure))): make another issuer."
        case .key(let path, let error): "\(path): \(error.message)"
        case .settings(let error): error.description
        case .otherSite(let settings, let database): "The settings are those of '\(settings)', the database is that of '\(database)'."
        case .gates(let path): "\(path) is not what phones read: it has to be the office's gates.phone."
        case .noInvitation(let id): "There is no invitation \(id)."
        case .otherState(let id, let state): "Invitation \(id) is \(state.rawValue): this cannot be done with it."
        case .badName(let name): "'\(name)' is no name: 1 to 256 bytes that are seen, without loose blanks."
        case .badAudience(let place): "'\(place)' is no place of this site."
        case .badCommand(let command): "'\(command)' is no command that a phone can name."
        case .badTimes: "It would end before it begins, is over already, or its code could be redeemed for less than a minute or longer than a year."
        case .badNote: "A note has up to 500 bytes, all of which are seen."
        case .token(let error): error.message
        case .tokenTooLong(let bytes): "Its token would have \(bytes) bytes; into a tap go \(Self.longestToken). Name fewer places."
        case .queueFull:
            "It is done here. But more than \(RevokedQueue.mostEntries) tokens are taken back now, more than the office takes from a server: switch the "
                + "issuer off there (tapstile-authority issuer --off), or gates go on believing some."
        case .badPassword: "A password has \(OperatorRules.shortestPassword) to \(OperatorRules.longestPassword) bytes."
        case .signInRefused: "Name or password are wrong."
        case .noOperator(let name): "There is no operator '\(name)'."
        case .logBroken(let entry): "The log was changed by something else than this program, at entry \(entry) or before it."
        case .cryptography(let error): error.message
        case .system(let error): error.message
        case .storage(let error): error.message
        }
    }

    /// The longest token that fits into a tap, in bytes (docs/phone-protocol.md).
    static let longestToken = 580

    private static func words(_ exposure: Exposure) -> String {
        switch exposure {
        case .owner(let user): "it belongs to user \(user)"
        case .mode(let mode): "its mode is \(String(mode, radix: 8))"
        }
    }
}
