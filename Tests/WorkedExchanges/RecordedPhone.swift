import Credentials
import Cryptography
import Encoding
import PhoneProtocol

/// A phone whose ephemeral key is known: for the recording only.
struct RecordedPhone: ~Copyable {
    private let recording: Recording
    private let isByReference: Bool
    private var initiator: EDHOCInitiator
    private let message1: [UInt8]
    private var rest: ResponseSplitter

    /// The first part of a response that still fits one block of 256 bytes.
    private static let partCount = 250

    init(_ recording: Recording, ephemeral: [UInt8], on curve: Curve, suite: Int, byReference: Bool) throws {
        // What may throw goes first: Swift 6.0.3 cannot clean up a value that cannot be copied and is half made.
        var initiator = EDHOCInitiator(
            method: .bothSign, suites: [suite], connectionIdentifier: [0x00],
            ephemeral: EphemeralKey(known: try AgreementKey(rawPrivate: ephemeral, curve: curve)))
        let message1 = try initiator.makeMessage1()
        self.recording = recording
        self.isByReference = byReference
        self.message1 = message1
        self.initiator = consume initiator
        rest = ResponseSplitter([])
    }

    mutating func receive(_ bytes: [UInt8]) throws -> [UInt8] {
        let command = try CommandAPDU(parsing: bytes)
        switch command.ins {
        case PhoneProtocolProfile.selectInstruction:
            return ResponseAPDU(data: SelectAnswer(message1: message1).encoded).encoded
        case PhoneProtocolProfile.exchangeInstruction:
            rest = ResponseSplitter(try message3(command.data), partCount: Self.partCount)
            return rest.next().encoded
        case ResponseCollector.getResponse:
            return rest.next(expectedLength: command.expectedLength).encoded
        default:
            return ResponseAPDU().encoded
        }
    }

    private mutating func message3(_ message2: [UInt8]) throws -> [UInt8] {
        let key = try SigningKey(rawPrivate: recording.phoneKey, curve: .p256)
        let gate = try SigningKey(rawPrivate: recording.gateKey, curve: .p256).publicKey
        let known = GateCredential(site: recording.site, key: gate)
        let token = try Token(parsing: recording.token)
        let identifier = isByReference
            ? CredentialIdentifier(keyIdentifier: token.identifier.reference) : CredentialIdentifier(token: token.raw)
        _ = try initiator.receiveMessage2(message2)
        _ = try initiator.verifyMessage2([PeerCredential(credential: known.claims, key: gate)])
        let request = PhoneRequest(carrier: .nfc, lane: recording.lane, language: "en")
        return try initiator.makeMessage3(
            OwnCredential(identifier: identifier, credential: token.raw, key: .signing(key)), ead: [request.item])
    }
}
