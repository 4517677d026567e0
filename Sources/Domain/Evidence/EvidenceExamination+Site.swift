import Credentials
import Cryptography
import Encoding
import PhoneProtocol

/// What the site says: whose the key is, what it may, and whether it was revoked by then.
extension EvidenceExamination {
    var checkIssuer: EvidenceCheck {
        guard let token = credential.token else { return checkEnrolment }
        guard !trust.issuers.isEmpty else {
            return EvidenceCheck(.issuer, .issuerNotGiven, "No issuer's key was given to check the token with.")
        }
        guard !signers.isEmpty else {
            return EvidenceCheck(.issuer, .issuerUnknown, "No issuer whose key was given has signed the token.")
        }
        guard trust.office?.issue != .never else {
            return EvidenceCheck(.issuer, .notIssued, "An issuer of this authority has signed the token, and the authority has not issued it.")
        }
        return EvidenceCheck(.issuer, "The issuer \(Quotation.of(token.issuer)) signed that this key is of \(Quotation.of(token.subject)).")
    }

    /// The issuers that were given and have signed the token.
    var signers: [PublicKey] {
        guard let token = credential.token else { return [] }
        return trust.issuers.filter { token.isSigned(by: $0) }
    }

    /// The publication of then, if one was given.
    var published: PublishedWord? { trust.publication(inForceAt: record.seconds) }

    /// The enrolled key as the site had it then, and since when.
    var enrolment: KnownEnrolment? {
        if let published, let key = published.enrolled { return KnownEnrolment(key, since: published.issuedAt) }
        return trust.enrolled.first { $0.key.key == credential.key && $0.since ?? .min <= record.seconds }
    }

    private var checkEnrolment: EvidenceCheck {
        guard let enrolment else {
            let later = trust.enrolled.filter { $0.key.key == credential.key }.compactMap(\.since)
                + trust.publications.filter { $0.enrolled != nil }.map(\.issuedAt)
            guard let first = later.min() else {
                return EvidenceCheck(.issuer, .enrolmentNotGiven, "Nothing that was given says whose this enrolled key was then.")
            }
            return EvidenceCheck(.issuer, .enrolmentLater, "What was given has this key from \(Self.words(first)) on, and does not say whose it was before.")
        }
        guard Self.same(enrolment.key.subject, record.subject) else {
            return EvidenceCheck(.issuer, .enrolmentDiffers, "The key is enrolled for another than \(Quotation.of(record.subject)).")
        }
        return EvidenceCheck(.issuer, "The site had this key enrolled for \(Quotation.of(record.subject)).")
    }

    /// What a token says itself, or the site says of an enrolled key; and the site's rules.
    var checkRights: [EvidenceCheck] {
        let problem: String?
        if let token = credential.token {
            problem = fault("token", (token.notBefore, token.expiresAt), token.scope, token.audiences)
        } else if let key = enrolment?.key {
            let site = key.audiences.isEmpty ? gate?.site.map { [Place.scheme + $0] } ?? [] : key.audiences
            problem = fault("enrolled key", (key.notBefore ?? .min, key.expiresAt ?? .max), key.scope, site)
        } else {
            return []
        }
        if let problem { return [EvidenceCheck(.rights, .rightsDiffer, problem)] }
        guard let published else { return [EvidenceCheck(.rights, "The credential was valid then, for this place and this command.")] }
        switch published.rules {
        case .allowed: return [EvidenceCheck(.rights, "The credential was valid then, for this place and this command, and \(Self.words(published)) let its holder pass.")]
        case .refused: return [EvidenceCheck(.rights, .rightsDiffer, "By the rules of \(Self.words(published)) its holder did not pass this lane at that time.")]
        case .unjudged: return [EvidenceCheck(.rights, .timeZoneMissing, "The rules of \(Self.words(published)) go by a time zone whose data are missing here.")]
        }
    }

    private func fault(_ what: String, _ times: (from: Int64, to: Int64), _ scope: [String], _ audiences: [String]) -> String? {
        if !(times.from <= record.seconds && record.seconds < times.to) { return "The \(what) was not valid at the time of the record." }
        if !scope.contains(where: { Self.same($0, record.command) }) { return "The \(what) does not allow the command." }
        if let site = gate?.site, !audiences.contains(where: { covers($0, site) }) { return "The \(what) is for another site or lane." }
        return nil
    }

    /// Only where somebody was asked; where nobody was, that is among what is not proved.
    var checkRevocation: [EvidenceCheck] {
        if let published, published.isRevoked {
            return [EvidenceCheck(.revocation, .revoked, "\(Self.words(published)) had taken it back: only a gate that did not have it yet grants then.")]
        }
        switch trust.office?.standing {
        case .revoked(let time) where time <= record.seconds:
            return [EvidenceCheck(.revocation, .revoked, "The authority took it back on \(Self.words(time)); gates knew with the next publication.")]
        case .revokedBySite where published == nil:
            return [EvidenceCheck(.revocation, .revocationUndated, "The site's rules take it back today, and nothing that was given says since when.")]
        case .good, .revoked, .revokedBySite:
            return [EvidenceCheck(.revocation, "Nobody had taken it back by then.")]
        case .none:
            return published.map { [EvidenceCheck(.revocation, "\(Self.words($0)) had not taken it back.")] } ?? []
        }
    }

    /// Whether an audience may mean the lane. In which zone the lane lies is not in the evidence.
    private func covers(_ audience: String, _ site: String) -> Bool {
        let whole = Place.scheme + site
        if Self.same(audience, whole) { return true }
        let bytes = Array(audience.utf8), head = Array((whole + "/").utf8)
        guard bytes.starts(with: head) else { return false }
        let names = bytes.dropFirst(head.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // No zone and no lane has an empty name: at no gate does that cover anything.
        guard names.allSatisfy({ !$0.isEmpty }) else { return false }
        switch names.count {
        case 1: return true
        case 2: return names[1].elementsEqual((record.lane ?? "").utf8)
        default: return false
        }
    }

    private static func words(_ published: PublishedWord) -> String { "Publication \(published.version) of \(words(published.issuedAt))" }

    /// UNIX seconds in words. A credential can name times that no calendar has.
    static func words(_ seconds: Int64) -> String {
        calendar.contains(seconds) ? UTCText.make(seconds: seconds) : "UNIX second \(seconds)"
    }

    /// Up to the end of the year 9999.
    private static let calendar: ClosedRange<Int64> = 0...253_402_300_799
}
