@testable import PhoneProtocol
import Credentials
import Cryptography
import Encoding

/// A site whose keys are always the same, and whom it knows.
final class TapSite: Sendable {
    let signing: SigningKey
    let agreement: AgreementKey
    let credentials: [GateCredential]
    let issuer: SigningKey
    let gateIssuer: SigningKey
    let gateToken: GateToken
    let gateAgreementToken: GateToken
    /// Somebody, with one number for both kinds of keys.
    let person: SigningKey
    let personAgreement: AgreementKey
    /// The adversary.
    let eve: SigningKey
    let eveToken: Token
    let token: Token
    let agreementToken: Token
    let enrolled: EnrolledKey
    let enrolledAgreement: EnrolledKey
    let name: String

    static let now: Int64 = 1_800_000_000

    init(_ name: String, number: UInt8) {
        do {
            self.name = name
            signing = try SigningKey(rawPrivate: Self.raw(number, 1), curve: .p256)
            agreement = try AgreementKey(rawPrivate: Self.raw(number, 2), curve: .p256)
            credentials = [GateCredential(site: name, key: signing.publicKey), GateCredential(site: name, key: agreement.publicKey)]
            issuer = try SigningKey(rawPrivate: Self.raw(number, 3), curve: .p256)
            gateIssuer = try SigningKey(rawPrivate: Self.raw(number, 4), curve: .p256)
            person = try SigningKey(rawPrivate: Self.raw(number, 5), curve: .p256)
            personAgreement = try AgreementKey(rawPrivate: Self.raw(number, 5), curve: .p256)
            eve = try SigningKey(rawPrivate: Self.raw(number, 6), curve: .p256)
            token = try Self.token(name, "ada", person.publicKey, .sign, issuer)
            agreementToken = try Self.token(name, "ada", person.publicKey, .agree, issuer)
            eveToken = try Self.token("elsewhere", "eve", eve.publicKey, .sign, issuer, iss: name)
            enrolled = EnrolledKey(keyIdentifier: [0x41, 0x42], key: person.publicKey, use: .sign, subject: "ada")
            enrolledAgreement = EnrolledKey(keyIdentifier: [0x2B], key: person.publicKey, use: .agree, subject: "ada")
            gateToken = try Self.gateToken(name, signing.publicKey, .sign, gateIssuer)
            gateAgreementToken = try Self.gateToken(name, agreement.publicKey, .agree, gateIssuer)
        } catch {
            fatalError("the keys are good: \(error)")
        }
    }

    static func raw(_ first: UInt8, _ second: UInt8) -> [UInt8] {
        [UInt8](repeating: first, count: 16) + [UInt8](repeating: second, count: 16)
    }

    private static func token(
        _ site: String, _ subject: String, _ key: PublicKey, _ use: KeyUse, _ issuer: SigningKey, iss: String? = nil
    ) throws -> Token {
        try Token.issue(
            TokenClaims(issuer: iss ?? site, subject: subject, audiences: [Place.scheme + site], notBefore: now - 1000,
                        expiresAt: now + 1000, cti: [1, 2, 3], confirmationKey: COSEKey(key: key, use: use)),
            key: issuer)
    }

    private static func gateToken(_ site: String, _ key: PublicKey, _ use: KeyUse, _ issuer: SigningKey) throws -> GateToken {
        try GateToken.issue(
            GateTokenClaims(issuer: "gates", site: site, notBefore: now - 1000, expiresAt: now + 1000, cti: [9],
                            confirmationKey: COSEKey(key: key, use: use)),
            key: issuer)
    }

    /// Site data that know the issuer and the enrolled keys.
    func answer(_ question: TrustQuestion) -> TrustAnswer {
        let known: [EnrolledKey] = switch question.enrolled {
        case .none: []
        case .keyIdentifier(let kid): [enrolled, enrolledAgreement].filter { $0.keyIdentifier == kid }
        case .thumbprint(let thumbprint): [enrolled, enrolledAgreement].filter { $0.key.thumbprint == thumbprint }
        }
        return TrustAnswer(
            issuer: question.issuer == name ? TokenIssuer(name: name, key: issuer.publicKey) : nil, isRevoked: false,
            enrolled: known.map { TrustAnswer.EnrolledCandidate(key: $0, isRevoked: false) }, generation: 1,
            publicationIssuedAt: Self.now - 1000)
    }

    func person(signs: Bool) -> AuthenticationKey { signs ? .signing(person) : .agreement(personAgreement) }
}
