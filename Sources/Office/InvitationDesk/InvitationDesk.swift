import Credentials
import Cryptography
import Encoding
import Invitations
import Storage
import Threads

/// The server of invitations without its network: codes become tokens, once each, and operators' changes become what the office reads.
///
/// Any thread calls it, and several programs may work on one folder: SQLite's lock decides who is first. `changes` has the connection that
/// writes, `reader` one that only looks; `passwords` is held while one is tried, since each try takes 16 MiB. None is held while another is taken.
public final class InvitationDesk: Sendable {
    /// What the settings say.
    public let settings: DeskSettings
    /// The folder.
    public let folder: String

    let place: DeskFolder
    let key: SigningKey
    let changes: SharedTransactions
    let passwords = Mutex(())
    private let reader: Monitor<DeskDatabase>
    private let nonces: ServerNonce
    private let gates: GatesFile
    private let attestation: AttestationJudge?
    private let report: @Sendable (DeskError) -> Void

    /// Opens what `make` has made.
    /// - Parameters:
    ///   - key: of the issuer; a role of its own.
    ///   - attestation: judges what Android phones show of their keys; nil: nobody looks, and it gains nothing.
    ///   - patience: for how many milliseconds another program's transaction is waited for.
    ///   - report: is told what keeps the database, or newer keys of gates, from phones, for the log.
    public init(folder: String, settings: DeskSettings, key: KeyFile, attestation: AttestationJudge? = nil, patience: Int32 = 2000,
                report: @escaping @Sendable (DeskError) -> Void = { _ in }) throws(DeskError) {
        place = DeskFolder(path: folder)
        guard place.has(DeskDatabase.name) else { throw .noDesk(folder: folder) }
        try place.check()
        guard key.role == .tokenIssuer, let signing = key.signingKey, signing.algorithm == .es256 else {
            throw .key(path: place.path(of: DeskFolder.key), .role)
        }
        (self.folder, self.settings, self.key) = (folder, settings, signing)
        (self.attestation, self.report) = (attestation, report)
        gates = try GatesFile(path: settings.gates, report: report)
        let path = place.path(of: DeskDatabase.name), looks: DeskDatabase, identity: DeskDatabase.Identity?
        do throws(StorageError) {
            looks = try DeskDatabase(path: path, patience: patience)
            identity = try looks.identity()
            changes = SharedTransactions(try DeskDatabase(path: path, patience: patience))
        } catch {
            throw .storage(error)
        }
        guard let identity else { throw .noDesk(folder: folder) }
        guard identity.site == settings.site, identity.issuer == settings.issuer else {
            throw .otherSite(settings: "\(settings.issuer) of \(settings.site)", database: "\(identity.issuer) of \(identity.site)")
        }
        reader = Monitor(looks)
        nonces = ServerNonce(key: identity.nonceKey)
    }

    /// A fresh nonce, as text.
    public func nonce(now: Int64) -> String { nonces.make(now: now).text }

    /// What an invitation is for. It uses nothing up.
    public func begin(_ request: BeginRequest, now: Int64) throws(InvitationFault) -> BegunInvitation {
        let invitation = try known(request.code)
        try invitation.checkBeginning(now: now)
        return BegunInvitation(
            site: settings.site, subject: invitation.wanted.subject, nonce: nonces.make(now: now), time: now,
            validUntil: invitation.wanted.expires, words: settings.words, services: settings.services)
    }

    /// Gives an invitation to a key, once; to the same key, for ten minutes, again.
    public func redeem(_ request: RedeemRequest, now: Int64) throws(InvitationFault) -> IssuedAccess {
        // Before all else, so that a code that is none tells nothing apart.
        _ = try known(request.code)
        let nonce = try proof(request.statement(origin: settings.origin), request.signature, by: request.key, now: now)
        let isAttested = try attested(request, now: now)
        let issuing = issuing
        return try change { database throws(DeskFailure) in
            try database.redeem(codeHash: request.code.hash, key: request.key, isAttested: isAttested, nonce: nonce, issuing, now: now)
        }
    }

    /// Gives another token to a key that has an invitation.
    public func renew(_ request: RenewRequest, now: Int64) throws(InvitationFault) -> IssuedAccess {
        let nonce = try proof(request.statement(origin: settings.origin), request.signature, by: request.key, now: now)
        let issuing = issuing
        return try change { database throws(DeskFailure) in try database.renew(key: request.key, nonce: nonce, issuing, now: now) }
    }

    private func change(_ body: @escaping @Sendable (DeskDatabase) throws(DeskFailure) -> GrantedToken) throws(InvitationFault) -> IssuedAccess {
        let granted: GrantedToken
        do throws(DeskFailure) {
            granted = try changes.change(body)
        } catch {
            if case .desk(let error) = error { report(error) }
            throw error.fault
        }
        return IssuedAccess(
            token: granted.token.bytes, gates: gates.bytes, subject: granted.subject, site: settings.site, notBefore: granted.token.notBefore,
            expires: granted.token.expires, renewUntil: granted.renewUntil, userVerified: granted.userVerified, words: settings.words,
            services: settings.services)
    }

    private var issuing: Issuing { Issuing(site: settings.site, issuer: settings.issuer, tokenValid: settings.tokenValid, key: key) }

    private func known(_ code: InvitationCode) throws(InvitationFault) -> Invitation {
        let found: Invitation?
        do throws(DeskError) {
            found = try look { database throws(StorageError) in try database.invitation(codeHash: code.hash) }
        } catch {
            report(error)
            throw .databaseAway
        }
        guard let found else { throw .codeUnknown }
        return found
    }

    /// Looks into the database without changing it.
    func look<Answer>(_ body: (DeskDatabase) throws(StorageError) -> Answer) throws(DeskError) -> Answer {
        do throws(StorageError) {
            return try reader.withLock { database throws(StorageError) in try body(database) }
        } catch {
            throw .storage(error)
        }
    }
}

/// What has to hold of every signed request.
extension InvitationDesk {
    /// How far a phone's clock may be from ours, in seconds: beyond it gates would refuse what it says.
    static let clockTolerance: Int64 = 600

    private func proof(_ statement: Statement, _ signature: [UInt8], by key: PublicKey, now: Int64) throws(InvitationFault) -> UsedNonce {
        guard let (name, madeAt) = nonces.judge(statement.nonce, now: now) else { throw .nonceUnknown }
        guard (now - Self.clockTolerance...now + Self.clockTolerance).contains(statement.time) else { throw .clockDiffers(server: now) }
        guard statement.isSigned(signature, by: key) else { throw .proofWrong }
        return UsedNonce(name: name, madeAt: madeAt)
    }

    private func attested(_ request: RedeemRequest, now: Int64) throws(InvitationFault) -> Bool {
        guard let attestation, let chain = request.attestation else { return false }
        return try attestation(ShownAttestation(chain: chain, challenge: request.nonce.attestationChallenge, key: request.key), now)
    }
}

/// What a phone shows of its key.
public struct ShownAttestation: Hashable, Sendable {
    /// Certificates in DER, the key's own first.
    public let chain: [[UInt8]]
    /// What must stand in the key's own certificate, 32 bytes.
    public let challenge: [UInt8]
    /// The key that is to be redeemed with: the certificate must be its.
    public let key: PublicKey
}

/// Judges an attestation at a time (UNIX seconds): true where it shows that the key is released only after user verification, false where it shows
/// less. Throws `attestationRefused` for one that is not what it seems.
public typealias AttestationJudge = @Sendable (ShownAttestation, _ now: Int64) throws(InvitationFault) -> Bool
