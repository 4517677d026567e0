import Credentials
import Cryptography

/// The site data of one gate in one run: what the store would answer.
final class Trust: @unchecked Sendable { // one thread runs one run
    private let site: Site
    private(set) var generation: UInt64 = 1
    private(set) var revoked: Set<Revocation> = []
    /// Whether the site still trusts the key that signed everybody's token.
    private(set) var trustsIssuer = true
    /// Tokens that phones may name, so few that they push each other out. Nobody tells it of a publication: what is
    /// used of it must be fit by itself.
    var tokens = TokenCache(capacity: 2)

    init(_ site: Site) { self.site = site }

    /// A new publication takes something back.
    func revoke(_ revocation: Revocation) {
        revoked.insert(revocation)
        generation += 1
    }

    /// A new publication has another key under the issuer's name.
    func replaceIssuer() {
        trustsIssuer = false
        generation += 1
    }

    /// A new publication that says the same.
    func publish() { generation += 1 }

    func answer(_ question: TrustQuestion) -> TrustAnswer {
        TrustAnswer(
            issuer: question.issuer == site.name ? TokenIssuer(name: site.name, key: issuerKey) : nil,
            isRevoked: question.revocations.contains { revoked.contains($0) },
            enrolled: enrolled(question.enrolled).prefix(TrustQuestion.mostCandidates)
                .map { key in
                    TrustAnswer.EnrolledCandidate(key: key, isRevoked: key.revocations.contains { revoked.contains($0) })
                },
            generation: generation, publicationIssuedAt: Town.begin)
    }

    private var issuerKey: PublicKey { trustsIssuer ? site.issuer.publicKey : site.gateSigning.publicKey }

    private func enrolled(_ lookup: TrustQuestion.EnrolledLookup) -> [EnrolledKey] {
        switch lookup {
        case .none: []
        case .keyIdentifier(let kid): site.enrolled.filter { $0.keyIdentifier == kid }
        case .thumbprint(let thumbprint): site.enrolled.filter { $0.key.thumbprint == thumbprint }
        }
    }
}
