import Attestation
import Files
import InvitationDesk
import Invitations
import Threads

/// What a site takes for an attested key of an Android phone, as its settings say it, with the list of certificates that were revoked.
///
/// Any thread judges; `policy` is held for a copy only.
final class SiteAttestation: Sendable {
    private let settings: AttestationSettings
    private let policy: Mutex<AttestationPolicy>

    /// Google's list has less, in bytes.
    private static let longestList = 4 << 20

    init(_ settings: AttestationSettings) throws(InvitationServiceError) {
        self.settings = settings
        policy = Mutex(try Self.policy(settings))
    }

    /// Reads the list again.
    func renew() throws(InvitationServiceError) {
        let fresh = try Self.policy(settings)
        policy.withLock { $0 = fresh }
    }

    /// Judges what a phone shows.
    var judge: AttestationJudge {
        { [self] (shown: ShownAttestation, now: Int64) throws(InvitationFault) -> Bool in
            do throws(AttestationFault) {
                let policy = policy.withLock { $0 }
                return try Attestation.judge(chain: shown.chain, challenge: shown.challenge, key: shown.key, policy: policy, now: now).isUserVerified
            } catch {
                throw .attestationRefused("\(error.code): \(error.message)")
            }
        }
    }

    private static func policy(_ settings: AttestationSettings) throws(InvitationServiceError) -> AttestationPolicy {
        let list: [UInt8]?
        do throws(SystemError) {
            list = try settings.revoked.map { path throws(SystemError) in try SmallFile.read(path, limit: longestList) }
        } catch {
            throw .system(error)
        }
        do throws(AttestationPolicyFault) {
            var policy = try AttestationPolicy(
                applicationNames: settings.applications, signerDigests: settings.signers, rootDigests: settings.roots,
                longestTimeout: settings.longestTimeout, wantsStrongBox: settings.wantsStrongBox)
            if let list { policy.revoked = try RevokedSerials(status: list) }
            return policy
        } catch {
            throw .attestation(error)
        }
    }
}
