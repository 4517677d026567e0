import Credentials
import Cryptography
import PhoneProtocol
import VirtualPhone

/// One tap over Bluetooth, from the first write to the end, with a link in between that can be tampered with.
struct RadioTap {
    /// Changes a value on the air: which one of its kind (from 0), whether it is read, the bytes.
    typealias Interference = (_ index: Int, _ isRead: Bool, _ bytes: [UInt8]) -> [UInt8]

    var written: [[UInt8]] = []
    var read: [[UInt8]] = []
    /// The lanes taken, one for each message_2.
    var offers: [Int] = []
    var transcripts: [[UInt8]] = []
    var claims: [Claim] = []
    var proof: Proof?
    var refusal: Reason?
    /// How it ended for the gate, and for the phone.
    var end: ConversationEnd?
    var result: PhoneResult?

    /// Most values a conversation may take; more would be a loop.
    static let mostValues = 64

    static func run(
        _ gate: inout BluetoothGateConversation, _ phone: inout BluetoothPhone,
        knowing candidates: (Claim) -> [PeerCredential],
        sending outcome: PhoneOutcome = PhoneOutcome(result: .granted, reason: .granted),
        interfering change: Interference = { _, _, bytes in bytes }
    ) -> RadioTap {
        var tap = RadioTap()
        var step = phone.start()
        while tap.result == nil, tap.written.count + tap.read.count < mostValues {
            switch step {
            case .write(let value):
                tap.written.append(change(tap.written.count, false, value))
                tap.handle(tap.written[tap.written.count - 1], &gate, candidates, outcome)
                step = phone.wrote()
            case .read:
                guard let value = gate.read() else {
                    tap.end = gate.end
                    return tap
                }
                tap.read.append(change(tap.read.count, true, value))
                step = phone.received(tap.read[tap.read.count - 1])
            case .finish(let result):
                tap.result = result
            }
        }
        tap.end = gate.end
        return tap
    }

    /// What the gate does with a value, up to where the phone may read.
    private mutating func handle(
        _ value: [UInt8], _ gate: inout BluetoothGateConversation, _ candidates: (Claim) -> [PeerCredential], _ outcome: PhoneOutcome
    ) {
        switch gate.write(value) {
        case .accept, .finish: break
        case .acceptFinal(let offer, let transcript):
            offers.append(offer)
            transcripts.append(transcript)
        case .identify(let claim):
            claims.append(claim)
            switch gate.resolve(candidates(claim)) {
            case .proved(let proof):
                self.proof = proof
                _ = gate.outcome(outcome)
            case .refused(let reason):
                refusal = reason
                _ = gate.refuse()
            }
        }
    }
}

extension TestSite {
    /// A gate with these lanes behind one radio.
    func peripheral(
        _ methods: [EDHOCMethod] = EDHOCMethod.allCases, keys: GateKeys? = nil, lanes: [String] = [TestSite.lane],
        suites: [CipherSuite] = CipherSuite.ofGates, spare: Bool = true, ephemeral: AgreementKey? = nil
    ) throws -> BluetoothGateConversation {
        let offers = try lanes.map {
            try GateOffer(gateIdentifier: "gate-1", lane: $0, carrier: .ble, methods: methods, suites: suites)
                .at(time: 1_800_000_000, cacheGeneration: 7)
        }
        return BluetoothGateConversation(
            offers: offers, keys: keys ?? gateKeys,
            ephemeral: try ephemeral.map { EphemeralKey(known: $0) } ?? EphemeralKey.generateOnBothCurves(),
            spare: spare ? try EphemeralKey.generateOnBothCurves() : nil)
    }

    func central(
        _ credential: PhoneCredential, _ key: AuthenticationKey, _ settings: PhoneSettings = PhoneSettings(carrier: .ble)
    ) -> BluetoothPhone {
        BluetoothPhone(identity: PhoneIdentity(credential: credential, key: key, gates: knownGates), settings: settings)
    }

    /// A phone that signs and brings its token by value.
    func tokenCentral(_ settings: PhoneSettings = PhoneSettings(carrier: .ble)) -> BluetoothPhone {
        central(.token(token.raw), .signing(phoneSigning), settings)
    }

    /// A phone that agrees and is enrolled.
    func enrolledCentral() -> BluetoothPhone {
        central(
            .keyIdentifier(enrolledAgreement.keyIdentifier, claims: enrolledAgreement.credential),
            .agreement(phoneAgreement), PhoneSettings(gateSigns: false, carrier: .ble))
    }
}
