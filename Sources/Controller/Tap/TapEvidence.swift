import Conversations
import Credentials

/// What somebody has shown who is known.
enum TapEvidence {
    /// A phone's proof.
    case proof(Proof)
    /// A UID-only card, of which there is nothing but its number.
    case card(PhoneRequest)

    /// What is wanted.
    var request: PhoneRequest {
        switch self {
        case .proof(let proof): proof.claim.request
        case .card(let request): request
        }
    }

    /// How much it takes to show it.
    var assurance: Assurance {
        switch self {
        case .proof: .proven
        case .card: .low
        }
    }

    /// What names the exchange.
    var transcript: [UInt8]? {
        switch self {
        case .proof(let proof): proof.transcript
        case .card: nil
        }
    }

    /// What can be checked again later; a card leaves nothing.
    var evidence: [UInt8] {
        switch self {
        case .proof(let proof): proof.evidence.encoded
        case .card: []
        }
    }

    /// Whoever lays a card on a reader wants to pass, without doing anything else.
    static func card(on lane: String) -> TapEvidence {
        .card(PhoneRequest(carrier: .nfc, lane: lane, namedCommand: UIDOnlyCard.command))
    }
}
