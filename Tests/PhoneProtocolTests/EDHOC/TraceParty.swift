import Cryptography
import Testing
@testable import PhoneProtocol

/// The two sides of one of the RFC's traces, with the private keys the RFC publishes.
struct TraceParty: CustomTestStringConvertible {
    let vectors: TraceVectors
    let method: EDHOCMethod
    let suite: CipherSuite

    var testDescription: String { "method \(method.rawValue), suite \(suite.rawValue)" }

    static func chapter2() throws -> TraceParty {
        TraceParty(vectors: try TraceVectors("rfc9529-chapter-2"), method: .bothSign, suite: .suite0)
    }

    static func chapter3() throws -> TraceParty {
        TraceParty(vectors: try TraceVectors("rfc9529-chapter-3"), method: .bothAgree, suite: .suite2)
    }

    func ephemeral(_ name: String) throws -> EphemeralKey {
        EphemeralKey(known: try AgreementKey(rawPrivate: vectors[name], curve: suite.agreementCurve))
    }

    func key(_ name: String) throws -> AuthenticationKey {
        method == .bothSign
            ? .signing(try SigningKey(rawPrivate: vectors[name], curve: suite.signatureCurve))
            : .agreement(try AgreementKey(rawPrivate: vectors[name], curve: suite.agreementCurve))
    }

    func own(_ side: String) throws -> OwnCredential {
        OwnCredential(
            identifier: try CredentialIdentifier(map: vectors["ID_CRED_\(side)"]),
            credential: vectors["CRED_\(side)"], key: try key("SK_\(side)"))
    }

    func peer(_ side: String) throws -> PeerCredential {
        PeerCredential(credential: vectors["CRED_\(side)"], key: try key("SK_\(side)").publicKey)
    }

    /// SUITES_I as the trace's initiator sends it.
    var suites: [Int] { suite == .suite2 ? [6, 2] : [0] }

    func initiator() throws -> EDHOCInitiator {
        EDHOCInitiator(
            method: method, suites: suites, connectionIdentifier: vectors["C_I"], ephemeral: try ephemeral("X"))
    }

    func responder() throws -> EDHOCResponder {
        EDHOCResponder(
            methods: [method], suites: [suite], connectionIdentifier: vectors["C_R"], ephemeral: try ephemeral("Y"))
    }
}
